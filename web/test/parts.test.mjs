// SPDX-License-Identifier: MIT
// Parts of the page that need no browser: links, walls, what the simulation says when it breaks.
import assert from 'node:assert';
import test from 'node:test';
import {deflateRawSync} from 'node:zlib';
import {fromFragment, toFragment} from '../src/share.js';
import {Stage} from '../src/stage.js';
import {addWall} from '../src/walls.js';
import {good} from './mistakes.mjs';

test('a link gives back what it was made of', async () => {
  const what = {tab: 'water', text: good, dials: {gravity: 0}};
  assert.deepEqual(await fromFragment('#' + await toFragment(what)), what);
  assert.equal(await fromFragment('#water'), null);
});

test('a link that is made to fill the memory is refused early', async () => {
  const size = 150e6;
  const bomb = 's=' + deflateRawSync(Buffer.alloc(size, 32)).toString('base64url');
  assert.ok(bomb.length < 1 << 18);
  const before = process.memoryUsage().rss;
  assert.ok(await fromFragment(bomb) instanceof Error);
  assert.ok(process.memoryUsage().rss - before < size / 2, 'all of it is made');
  assert.match((await fromFragment('s=' + 'A'.repeat(1 << 20))).message, /too long/);
});

test('a scene that no link could hold is told so', async () => {
  const random = Array.from({length: 400000}, () => Math.floor(36 * Math.random()).toString(36)).join('');
  for (const text of ['x'.repeat(2 << 20), random]) assert.match((await toFragment({text})).message, /too long for a link/);
});

test('a wall is added where the list of solids is missing, empty, or there', () => {
  for (const solid of ['', 'solid:\n', 'solid: []\n', 'solid: [{name: wall 1, shape: {type: sphere, center: [0, 0], radius: 1}}]\n'])
    assert.match(addWall('dimension: 2\n' + solid, [[0, 0], [1, 0]], 0.1), /wall [12], shape: {type: capsule/);
  assert.throws(() => addWall('solid: nonsense\n', [[0, 0], [1, 0]], 0.1));
});

test('memory is blamed where it is missing, and nowhere else', () => {
  const blamed = error => {
    const posted = [];
    new Stage(message => posted.push(message), null, '').fail(error);
    return posted[0].memory;
  };
  for (const error of [new RangeError('could not allocate memory'), new Error('out of memory'), new RangeError('Array buffer allocation failed')])
    assert.ok(blamed(error), error.message);
  for (const error of [new Error('memory access out of bounds'), new RangeError('Maximum call stack size exceeded'), new Error('unreachable')])
    assert.ok(!blamed(error), error.message);
});

test('what fails after a failure does not hide its cause', async () => {
  const posted = [];
  const stage = new Stage(message => posted.push(message), () => { throw new Error('the cause'); }, '');
  for (const type of ['start', 'fit', 'open']) await stage.handle({type, text: '', name: ''});
  assert.deepEqual(posted.map(m => m.text), ['the cause']);
});
