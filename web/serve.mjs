// SPDX-License-Identifier: MIT
// A server for one page, with the headers that threads need.
//
//   node serve.mjs [PORT] [--plain] [--open]
//   --plain: without those headers, as any static host
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const built = path.join(path.dirname(fileURLToPath(import.meta.url)), '../build/web');
const kinds = {html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', wasm: 'application/wasm',
               svg: 'image/svg+xml', webmanifest: 'application/manifest+json'};

/** Serves a folder, build/web; answers the server once it listens. */
export function serve({port = 0, plain = false, folder = built} = {}) {
  const server = http.createServer((request, response) => {
    const name = path.normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)).replace(/\/$/, '/index.html');
    const file = path.join(folder, name);
    const headers = {'Content-Type': kinds[file.split('.').at(-1)] ?? 'application/octet-stream', 'Cache-Control': 'no-cache'};
    if (!plain) Object.assign(headers, {'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp'});
    if (!file.startsWith(folder) || !fs.existsSync(file) || !fs.statSync(file).isFile()) {
      response.writeHead(404, headers).end();
      return;
    }
    response.writeHead(200, headers);
    fs.createReadStream(file).pipe(response);
  });
  return new Promise((done, fail) => server.on('error', fail).listen(port, '127.0.0.1', () => done(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = Number(process.argv.slice(2).find(word => /^\d+$/.test(word)) ?? 8090);
  const server = await serve({port, plain: process.argv.includes('--plain')});
  const address = `http://localhost:${server.address().port}/`;
  console.log(address);
  if (process.argv.includes('--open')) {
    const opener = {darwin: 'open', win32: 'explorer'}[process.platform] ?? 'xdg-open';
    spawn(opener, [address], {stdio: 'ignore', detached: true}).on('error', () => {}).unref();
  }
}
