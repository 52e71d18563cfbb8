// SPDX-License-Identifier: MIT
// Debian's Chromium with the page in it. WebGL is computed by SwiftShader, on the processor.
import assert from 'node:assert';
import {after} from 'node:test';
import {chromium} from 'playwright-core';
import {serve} from '../serve.mjs';

const FLAGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-quic',
               '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
               '--autoplay-policy=no-user-gesture-required'];

let chrome; // one for all tests of a file

after(() => chrome?.then(it => it.close()));

/** A server, a profile of its own in a browser, and pages that may log no error. */
export async function openBrowser({plain = false, folder: served, ...context} = {}) {
  chrome ??= chromium.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: FLAGS});
  const server = await serve({plain, folder: served});
  const browser = await (await chrome).newContext({viewport: {width: 1280, height: 800}, acceptDownloads: true, ...context});
  const page = await browser.newPage();
  const address = `http://localhost:${server.address().port}/`;
  browser.setDefaultTimeout(90000);
  const errors = [];
  const watch = page => {
    page.on('console', message => { if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text()); });
    page.on('pageerror', error => errors.push(String(error)));
    return page;
  };
  watch(page);
  browser.on('page', watch);
  return {
    browser, address, errors, page,
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    }
  };
}

/** Opens the page and waits until it plays. */
export async function visit(page, address) {
  await page.goto(address);
  await playing(page);
}

export const playing = page => page.waitForFunction(() => globalThis.ondine?.state.stats.particles !== undefined && globalThis.ondine.state.text, null, {timeout: 120000});

/** A number of the simulation's: what the stage answers to a message. */
export const ask = (page, message) => page.evaluate(m => globalThis.ondine.engine.ask(m), message);
export const field = async (page, name, which) => (await ask(page, {type: 'field', name, which})).value;
export const stats = page => page.evaluate(() => globalThis.ondine.state.stats);

/** Waits until `good` says so of what `look` gives; long, for machines that are slow and busy with other things. */
export async function until(look, good, what, seconds = 120) {
  const end = Date.now() + 1000 * seconds;
  let value;
  do {
    value = await look();
    if (good(value)) return value;
    await new Promise(done => setTimeout(done, 150));
  } while (Date.now() < end);
  assert.fail(`${what}: ${JSON.stringify(value)}`);
}
