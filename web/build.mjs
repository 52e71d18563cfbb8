// SPDX-License-Identifier: MIT
// The page round the modules that Emscripten made: bundles, what is copied, what is kept offline.
//
//   node build.mjs        into ../build/web
import {build} from 'esbuild';
import {createHash} from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '..');
const out = path.join(root, 'build/web');
fs.rmSync(out, {recursive: true, force: true});
fs.mkdirSync(out, {recursive: true});

const common = {bundle: true, minify: true, legalComments: 'eof', target: ['chrome91', 'firefox90', 'safari16.4'],
                loader: {'.yaml': 'text'}, absWorkingDir: here, nodePaths: [path.join(here, 'node_modules')]};
await build({...common, entryPoints: ['src/main.js'], outfile: path.join(out, 'page.js'), format: 'iife'});
await build({...common, entryPoints: ['src/worker.js'], outfile: path.join(out, 'worker.js'), format: 'iife'});
await build({...common, entryPoints: ['src/stage.js'], outfile: path.join(out, 'stage.js'), format: 'iife', globalName: 'OndineStage'});
for (const name of ['index.html', 'page.css', 'icon.svg', 'ondine.webmanifest']) fs.copyFileSync(path.join(here, name), path.join(out, name));
for (const name of ['ondine.js', 'ondine.wasm', 'ondine-threads.js', 'ondine-threads.wasm', 'ondine-threads.worker.js'])
  fs.copyFileSync(path.join(root, 'build/wasm', name), path.join(out, name));

const files = fs.readdirSync(out).sort();
const hash = createHash('sha256');
for (const name of files) hash.update(fs.readFileSync(path.join(out, name)));
const offline = fs.readFileSync(path.join(here, 'src/offline.js'), 'utf8')
  .replace('__FILES__', JSON.stringify(['./', ...files.filter(name => name !== 'index.html')]))
  .replace('__VERSION__', JSON.stringify(hash.digest('hex').slice(0, 12)));
fs.writeFileSync(path.join(out, 'offline.js'), offline);

const packed = name => fs.existsSync(path.join(out, name)) ? gzipSync(fs.readFileSync(path.join(out, name)), {level: 9}).length : 0;
const sizes = fs.readdirSync(out).filter(name => !name.includes('threads')).reduce((sum, name) => sum + packed(name), 0);
console.log(`build/web: ${(sizes / 1e6).toFixed(2)} MB compressed; with threads ${((packed('ondine-threads.js') + packed('ondine-threads.wasm')) / 1e6).toFixed(2)} MB more`);
