// SPDX-License-Identifier: MIT
// Debian's Chromium with the page in it. WebGL is computed by SwiftShader, on the processor.
import assert from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {chromium} from 'playwright-core';
import {serve} from '../serve.mjs';

const FLAGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-quic',
               '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
               '--autoplay-policy=no-user-gesture-required'];

/** A server, a browser of its own, and pages that may log no error. */
export async function openBrowser({plain = false, folder: served, ...context} = {}) {
  const server = await serve({plain, folder: served});
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ondine-chromium-'));
  const browser = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: FLAGS, viewport: {width: 1280, height: 800},
    acceptDownloads: true, ...context
  });
  const address = `http://localhost:${server.address().port}/`;
  browser.setDefaultTimeout(20000);
  const errors = [];
  const watch = page => {
    page.on('console', message => { if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text()); });
    page.on('pageerror', error => errors.push(String(error)));
    return page;
  };
  browser.pages().forEach(watch);
  browser.on('page', watch);
  return {
    browser, address, errors, page: browser.pages()[0],
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
      fs.rmSync(folder, {recursive: true, force: true});
    }
  };
}

/** Opens the page and waits until it plays. */
export async function visit(page, address) {
  await page.goto(address);
  await playing(page);
}

export const playing = page => page.waitForFunction(() => globalThis.ondine?.state.stats.particles !== undefined && globalThis.ondine.state.text, null, {timeout: 40000});

/** A number of the simulation's: what the stage answers to a message. */
export const ask = (page, message) => page.evaluate(m => globalThis.ondine.engine.ask(m), message);
export const field = async (page, name, which) => (await ask(page, {type: 'field', name, which})).value;
export const stats = page => page.evaluate(() => globalThis.ondine.state.stats);

/** Waits until `good` says so of what `look` gives. */
export async function until(look, good, what, seconds = 40) {
  const end = Date.now() + 1000 * seconds;
  let value;
  do {
    value = await look();
    if (good(value)) return value;
    await new Promise(done => setTimeout(done, 150));
  } while (Date.now() < end);
  assert.fail(`${what}: ${JSON.stringify(value)}`);
}
