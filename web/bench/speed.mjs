// SPDX-License-Identifier: MIT
// How quick the page is beside the command: milliseconds a step of the same scenes, in Chromium and natively, nothing
// drawn, after the first step. Prints a table for docs/benchmarks.md.
//
//   make bench-web
import {build} from 'esbuild';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';
import {serve} from '../serve.mjs';

const here = path.dirname(fileURLToPath(import.meta.url)), root = path.join(here, '../..');
const command = path.join(root, 'build/release/ondine');

// Scenes of the tabs, and what melts; s that are simulated.
const SCENES = [['web/scenes/water.yaml', 0.4], ['scenes/2d/muller2d.yaml', 8], ['scenes/dam-break.yaml', 0.1], ['scenes/play/sand.yaml', 0.3],
                ['scenes/play/smoke-room.yaml', 4], ['scenes/candle.yaml', 0.5], ['scenes/ice-cubes.yaml', 0.5]];
const REPEATS = 3; // the quickest counts

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ondine-'));

/** By the command: the sum of its log's columns of time, after the first step. */
function byCommand(text, until, threads) {
  const scene = path.join(folder, 'scene.yaml'), out = path.join(folder, 'run');
  fs.writeFileSync(scene, text);
  const {status, stderr, error} = spawnSync(command, ['run', scene, '-o', out, '--force', '--threads', String(threads), '--set', `duration=${until}`],
                                     {encoding: 'utf8'});
  if (status !== 0) throw error ?? new Error(stderr);
  const [head, , ...rows] = fs.readFileSync(path.join(out, 'log.csv'), 'utf8').trim().split('\n').map(line => line.split(','));
  const clocks = head.flatMap((name, k) => name.startsWith('ms_') ? [k] : []);
  const ms = rows.reduce((sum, row) => clocks.reduce((s, k) => s + Number(row[k]), sum), 0);
  return {steps: rows.length, ms};
}

/** The same in a thread of the browser. */
const byPage = (page, job) => page.evaluate(it => new Promise((done, fail) => {
  const worker = new Worker('speed_worker.js');
  worker.onmessage = ({data}) => {
    worker.terminate();
    data.error ? fail(new Error(data.error)) : done(data);
  };
  worker.onerror = event => fail(new Error(event.message));
  worker.postMessage({...it, base: new URL('./', document.baseURI).href});
}), job);

const perStep = ({ms, steps}) => ms / steps;

async function quickest(measure) {
  let best = null;
  for (let k = 0; k < REPEATS; ++k) {
    const taken = await measure();
    if (!best || perStep(taken) < perStep(best)) best = taken;
  }
  return best;
}

let server, browser;
try {
  // What the server serves: the page's folder, and the thread beside it.
  const served = path.join(folder, 'web');
  fs.cpSync(path.join(root, 'build/web'), served, {recursive: true});
  fs.writeFileSync(path.join(served, 'empty.html'), '<!doctype html><title>speed</title>');
  await build({entryPoints: [path.join(here, 'worker.js')], outfile: path.join(served, 'speed_worker.js'), bundle: true, format: 'iife',
               absWorkingDir: path.join(here, '..'), logLevel: 'error'});
  server = await serve({folder: served});
  browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: ['--no-sandbox']});
  const page = await browser.newPage();
  await page.goto(`http://localhost:${server.address().port}/empty.html`);
  const cores = os.cpus(), all = `${cores.length} threads`; // the page takes a thread a core
  console.log(`## page\n\n${cores[0].model.trim()}, ${cores.length} cores, Chromium ${browser.version()}, ${new Date().toISOString().slice(0, 10)}. ` +
    `Milliseconds a step, from the second to the time shown, the quickest of ${REPEATS}.\n`);
  console.log(`| scene | to, s | steps | command, 1 thread | page, 1 thread | as quick as the command | command, ${all} | page, ${all} | ` +
    'times as quick as with one |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|');
  for (const [name, until] of SCENES) {
    const text = fs.readFileSync(path.join(root, name), 'utf8');
    const native = await quickest(() => byCommand(text, until, 1)), natives = await quickest(() => byCommand(text, until, cores.length));
    const one = await byPage(page, {text, name, until, repeats: REPEATS, threads: false});
    const many = await byPage(page, {text, name, until, repeats: REPEATS, threads: true});
    const row = [path.basename(name, '.yaml'), until, one.steps, perStep(native).toPrecision(3), perStep(one).toPrecision(3),
                 (perStep(native) / perStep(one)).toFixed(2), perStep(natives).toPrecision(3), perStep(many).toPrecision(3),
                 (perStep(one) / perStep(many)).toFixed(2)];
    console.log(`| ${row.join(' | ')} |`);
  }
} finally {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  fs.rmSync(folder, {recursive: true});
}
