// SPDX-License-Identifier: MIT
// A scene gives the same bits in the page as by the command that uses the instructions that every x86-64 has: both add
// in the same order, and neither fuses a product with a sum.
import assert from 'node:assert';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import {withText, textAt} from '../src/library.js';
import {command, loadModule, root} from './native.mjs';

const module = await loadModule();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ondine-'));
test.after(() => fs.rmSync(folder, {recursive: true}));

// The last of some frames, as a file of particles.
function byCommand(scene, frames) {
  const out = path.join(folder, 'run');
  const {status, stderr} = spawnSync(command, ['run', scene, '-o', out, '--force', '--frames', String(frames), '--threads', '1'],
                                     {env: {...process.env, ONDINE_ISA: 'base'}, encoding: 'utf8'});
  assert.equal(status, 0, stderr);
  const last = fs.readdirSync(path.join(out, 'frames')).filter(name => /^frame_\d+\.ply$/.test(name)).sort().at(-1);
  return fs.readFileSync(path.join(out, 'frames', last));
}

function byPage(scene, frames) {
  const page = module._ond_page_sim_create();
  const good = value => assert.ok(value, textAt(module, module._ond_page_sim_error(page)));
  good(withText(module, fs.readFileSync(scene, 'utf8'), t => withText(module, scene, n => module._ond_page_sim_scene(page, t, n))));
  good(module._ond_page_sim_start(page));
  for (let k = 0; k < frames; ++k) good(module._ond_page_sim_frame(page));
  good(withText(module, '/frame.ply', name => module._ond_page_sim_write(page, name)));
  module._ond_page_sim_destroy(page);
  return Buffer.from(module.FS.readFile('/frame.ply'));
}

// Places by the particles' numbers, of a binary PLY file.
function placesOf(file) {
  const size = {float: 4, uint: 4, int: 4, uchar: 1, ushort: 2};
  const end = file.indexOf('end_header\n') + 11, header = file.subarray(0, end).toString();
  const count = Number(/element vertex (\d+)/.exec(header)[1]);
  const at = {};
  let stride = 0;
  for (const [, type, name] of header.matchAll(/property (\w+) (\w+)/g)) at[name] = stride, stride += size[type];
  const places = new Map();
  for (let i = 0, o = end; i < count; ++i, o += stride)
    places.set(file.readUInt32LE(o + at.id), ['x', 'y', 'z'].map(axis => file.readFloatLE(o + at[axis])));
  return places;
}

// Water in 2D and 3D, whose pressure is solved for; grains; what melts, as a liquid and as solids; something thick.
const collapse = `domain: {min: [0, 0, 0], max: [1, 1, 1]}
method: {pressure: cg}
fluid: [{name: water, spacing: 0.06, shape: {type: box, min: [0, 0, 0], max: [0.5, 0.5, 1]}}]
`;
const shipped = name => fs.readFileSync(path.join(root, 'scenes', `${name}.yaml`), 'utf8');
const written = text => {
  const scene = path.join(folder, 'scene.yaml');
  fs.writeFileSync(scene, text);
  return scene;
};
for (const [name, frames, text] of [['2d/dam-break', 3], ['a collapsing column', 3, collapse], ['sand-heap', 6], ['candle', 2], ['chocolate', 1], ['honey', 3]])
  test(`${name}: the same bits`, () => {
    const scene = written(text ?? shipped(name));
    assert.ok(byCommand(scene, frames).equals(byPage(scene, frames)));
  });

// Solids that turn: the last bit of a place may differ, and grows as bits do.
test('turning ice cubes: the same within a thousandth of a spacing', () => {
  const scene = written(shipped('ice-cubes'));
  const native = placesOf(byCommand(scene, 3)), page = placesOf(byPage(scene, 3));
  let most = 0;
  for (const [id, at] of native) at.forEach((x, axis) => most = Math.max(most, Math.abs(x - page.get(id)[axis])));
  console.log(`apart by at most ${(most / 0.016).toExponential(1)} spacings`);
  assert.equal(native.size, page.size);
  assert.ok(most < 1e-3 * 0.016);
});
