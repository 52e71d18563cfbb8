// SPDX-License-Identifier: MIT
// The module in node, and the command beside it: what tests compare.
import {execFile, spawnSync} from 'node:child_process';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {makeModule, textAt, withText} from '../src/library.js';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const command = path.join(root, 'build/release/ondine');

export async function loadModule(extra = {}) {
  const require = createRequire(import.meta.url);
  const folder = path.join(root, 'build/wasm');
  const fetched = globalThis.fetch;
  delete globalThis.fetch; // this version of Emscripten takes node 18 and later for a browser
  try {
    return await makeModule(require(path.join(folder, 'ondine.js')), {locateFile: name => path.join(folder, name), ...extra});
  } finally {
    globalThis.fetch = fetched;
  }
}

/** What the module says of a scene: '' for nothing. */
export function checkScene(module, text, name) {
  const page = module._ond_page_sim_create();
  const good = withText(module, text, t => withText(module, name, n => module._ond_page_sim_scene(page, t, n)));
  const error = good ? '' : textAt(module, module._ond_page_sim_error(page));
  module._ond_page_sim_destroy(page);
  return error;
}

/** What the command says of a scene file. */
export function checkFile(file, folder) {
  const {stderr, status} = spawnSync(command, ['check', file], {encoding: 'utf8', cwd: folder});
  return {status, error: stderr.trimEnd()};
}

/** What it says of many texts: as many at once as there are cores. */
export async function checkTexts(texts) {
  const said = [], folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ondine-'));
  const check = cwd => new Promise(done => execFile(command, ['check', 'scene.yaml'], {cwd}, (_, out, error) => done(error.trimEnd())));
  let next = 0;
  await Promise.all(os.cpus().map(async (_, k) => {
    const own = path.join(folder, String(k));
    fs.mkdirSync(own);
    for (let i = next++; i < texts.length; i = next++) {
      fs.writeFileSync(path.join(own, 'scene.yaml'), texts[i]);
      said[i] = await check(own);
    }
  }));
  fs.rmSync(folder, {recursive: true});
  return said;
}
