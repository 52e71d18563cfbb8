// SPDX-License-Identifier: MIT
// The page reads a scene as the command does: the same scenes are good, and mistakes are told in the same words.
import assert from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import {good, mistakes, unclosed} from './mistakes.mjs';
import {checkScene, checkTexts, loadModule, root} from './native.mjs';

const module = await loadModule();
const inPage = text => checkScene(module, text, 'scene.yaml');

async function bothSay(texts) {
  const commands = await checkTexts(texts);
  return texts.map((text, k) => ({text, page: inPage(text), command: commands[k]}));
}

test('a good scene is good', () => assert.equal(inPage(good), ''));

test('mistakes are told in the same words', async () => {
  for (const {text, page, command} of await bothSay(mistakes)) {
    assert.notEqual(page, '', text);
    assert.equal(page, command, text);
  }
});

test('brackets that are not closed are told at the same place', async () => {
  for (const {page, command} of await bothSay(unclosed)) {
    const [place] = command.split(': a ');
    assert.ok(page.startsWith(place), `${page}\n${command}`);
  }
});

const scenes = fs.readdirSync(path.join(root, 'scenes'), {recursive: true}).filter(name => name.endsWith('.yaml'));

test('every scene that comes with the command is good, bodies apart', () => {
  for (const name of scenes) {
    const text = fs.readFileSync(path.join(root, 'scenes', name), 'utf8');
    assert.equal(checkScene(module, text, name), '', name);
  }
});

test('a value that is wrong is told in the same words, wherever it stands', async () => {
  const texts = [];
  for (const name of scenes.filter((_, k) => k % 4 === 0)) {
    const lines = fs.readFileSync(path.join(root, 'scenes', name), 'utf8').split('\n');
    const numbers = lines.flatMap((line, k) => /[-\d.]+(e-?\d+)?\s*[,\]}]?\s*(#.*)?$/.test(line) && !line.trim().startsWith('#') ? [k] : []);
    const at = numbers[numbers.length >> 1];
    if (at === undefined) continue;
    lines[at] = lines[at].replace(/[-\d.]+(?=[^\d]*$)/, 'nonsense');
    texts.push(lines.join('\n'));
  }
  for (const {text, page, command} of await bothSay(texts)) assert.equal(page, command, text);
});
