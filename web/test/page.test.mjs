// SPDX-License-Identifier: MIT
// The page in a real browser, served with the headers that threads need: what hands and keys do, and what it says.
import assert from 'node:assert';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test, {after, before, beforeEach} from 'node:test';
import {ask, field, openBrowser, playing, stats, until, visit} from './browser.mjs';
import {good} from './mistakes.mjs';
import {checkFile, command, root} from './native.mjs';

const SIZE = {width: 720, height: 480}; // software draws it
let it, page;

before(async () => {
  it = await openBrowser({viewport: SIZE});
  page = it.page;
  await visit(page, it.address);
});
after(() => it?.close());
beforeEach(() => { it.errors.length = 0; });

const quiet = () => assert.deepEqual(it.errors, []);
const tab = id => page.evaluate(id => globalThis.ondine.openTab(globalThis.ondine.tabs.find(t => t.id === id)), id);
const canvas = () => page.locator('#picture').boundingBox();
const tool = name => page.click(`#tools [data-tool=${name}]`);
const sceneText = () => page.inputValue('#scene');
const particles = async () => (await stats(page)).particles;

// A point of the picture, as shares of its width and height.
async function at(x, y) {
  const box = await canvas();
  return [box.x + x * box.width, box.y + y * box.height];
}

async function drag(points, {hold = 0} = {}) {
  await page.mouse.move(...await at(...points[0]));
  await page.mouse.down();
  for (const point of points.slice(1)) await page.mouse.move(...await at(...point), {steps: 5});
  await page.waitForTimeout(hold);
  await page.mouse.up();
}

// How many colours the picture has, and how many of its pixels are blue, when it is made 160 by 100.
const seen = () => page.evaluate(() => {
  const from = document.getElementById('picture');
  const pen = new OffscreenCanvas(160, 100).getContext('2d');
  pen.drawImage(from, 0, 0, 160, 100);
  const {data} = pen.getImageData(0, 0, 160, 100);
  let blue = 0;
  for (let k = 0; k < data.length; k += 4) blue += data[k + 2] > data[k] + 60;
  return {colours: new Set(new Uint32Array(data.buffer)).size, blue};
});
const colours = async () => (await seen()).colours;

function dropped(files) {
  return page.evaluate(files => {
    const data = new DataTransfer();
    for (const [name, text] of files) data.items.add(new File([text], name));
    document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
  }, files);
}

test('letters of wax stand there, and the torch melts them', async () => {
  assert.ok(await particles() > 1000);
  await until(colours, n => n > 50, 'nothing is drawn');
  assert.equal(await page.getAttribute('#tools [data-tool=heat]', 'aria-pressed'), 'true');
  const cold = await field(page, 'temperature', 2);
  const hot = async () => field(page, 'temperature', 2);
  await page.mouse.move(...await at(0.5, 0.58));
  await page.mouse.down();
  await until(hot, t => t > cold + 25, 'the torch does not heat');
  await until(() => field(page, 'rigidity', 0), r => r < 0.5, 'nothing melts');
  await page.mouse.up();
  quiet();
});

test('keys do what they do in the window', async () => {
  await page.locator('#picture').hover();
  await page.keyboard.press('p');
  await until(() => stats(page), s => s.paused === 1, 'P does not pause');
  const {time} = await stats(page);
  await page.keyboard.press('s');
  await until(() => stats(page), s => s.time > time && s.paused === 1, 'S makes no step');
  await page.keyboard.press('p');
  await until(() => stats(page), s => s.paused === 0, 'P does not go on');
  const passed = (await stats(page)).time;
  await page.keyboard.press('r');
  await until(() => stats(page), s => s.time < passed, 'R does not start again');
  await page.keyboard.press('h');
  assert.ok(await page.isVisible('#help table'));
  await page.keyboard.press('Escape');
  assert.ok(!await page.isVisible('#help'));
  await page.keyboard.press('1');
  assert.equal(await page.getAttribute('#tools button', 'aria-pressed'), 'true');
  quiet();
});

test('a word that is typed is set in wax, and melts', async () => {
  await page.fill('#word-text', 'Öl!');
  await page.click('#word-melt');
  await until(sceneText, text => text.includes('Öl!'), 'the word is not in the scene');
  await until(() => stats(page), s => s.time < 1 && s.particles > 500, 'the word is not there');
  await tool('heat');
  let x = 0.28; // what the pointer meets first when it goes down is what is heated: somewhere there is a letter
  await until(async () => {
    x = x < 0.72 ? x + 0.04 : 0.28;
    await drag([[x, 0.55]], {hold: 300});
    return field(page, 'temperature', 2);
  }, t => t > 30, 'the word is not heated');
  await tool('cool');
  assert.equal(await page.getAttribute('#tools [data-tool=cool]', 'aria-pressed'), 'true');
  quiet();
});

test('Space drops a block of the 2D liquid', async () => {
  await tab('liquid');
  for (const style of ['Surface', 'Particles']) {
    await page.evaluate(name => [...document.querySelectorAll('.choice button')].find(b => b.textContent === name).click(), style);
    await until(seen, s => s.blue > 50, `${style}: the liquid is not seen`);
  }
  const before = await particles();
  await page.keyboard.press('Space');
  await until(particles, n => n > before, 'Space drops nothing');
  quiet();
});

test('walls that are drawn stand in the scene, and the water goes on', async () => {
  await tab('water');
  await until(() => stats(page), s => s.time > 0.05, 'the water stands still');
  const [before, {time}] = [await particles(), await stats(page)];
  assert.ok(time > 0);
  await drag([[0.7, 0.7], [0.75, 0.5], [0.8, 0.45]]);
  const text = await until(sceneText, t => t.includes('wall 1'), 'there is no wall');
  assert.match(text, /wall 1.*union.*capsule/s);
  assert.ok(await particles() > 0.95 * before, 'water is lost');
  await page.keyboard.press('u');
  await until(sceneText, t => !t.includes('wall 1'), 'the wall stays');
  quiet();
});

test('smoke and sand play', async () => {
  await tab('smoke');
  await drag([[0.4, 0.6], [0.6, 0.4]]);
  await until(() => stats(page), s => s.time > 0.05, 'the smoke stands still');
  await tab('sand');
  const before = await particles();
  await page.mouse.move(...await at(0.7, 0.3));
  await page.mouse.down();
  await until(particles, n => n > before, 'no sand is poured');
  await page.mouse.up();
  quiet();
});

test('a dial turns gravity off, and a link holds scene and dial', async () => {
  await tab('water');
  await page.evaluate(() => {
    const slider = document.querySelector('[data-dial=gravity]');
    slider.value = 0;
    slider.dispatchEvent(new Event('input'));
  });
  await page.click('[data-action=share]');
  await page.waitForFunction(() => location.hash.startsWith('#s='));
  const [link, text] = [page.url(), await sceneText()];
  await page.goto('about:blank');
  await visit(page, link);
  await until(sceneText, t => t === text, 'the link holds another scene');
  assert.equal(await page.evaluate(() => globalThis.ondine.state.turned.gravity), 0);
  await page.evaluate(() => { location.hash = '#s=nonsense'; });
  await until(() => page.textContent('#toast'), t => t.includes('damaged'), 'nobody says that the link is damaged');
  quiet();
});

test('a scene that is dropped plays; one with a mistake is told as by the command', async () => {
  await dropped([['pool.yaml', good.replace('0.02', '0.05')]]);
  await until(particles, n => n === 20 * 20 * 4, 'the scene does not play');
  const wrong = good.replace('0.02', '-0.02');
  await dropped([['pool.yaml', wrong]]);
  const said = await until(() => page.textContent('#mistake'), t => t.length > 0, 'no mistake is told');
  fs.mkdirSync(path.join(root, 'build/web-test'), {recursive: true});
  fs.writeFileSync(path.join(root, 'build/web-test/pool.yaml'), wrong);
  assert.equal(said.trimEnd(), checkFile('pool.yaml', path.join(root, 'build/web-test')).error);
  assert.equal(await particles(), 1600, 'the good scene does not go on');
  await page.fill('#scene', good.replace('0.02', '0.1'));
  await until(particles, n => n === 10 * 10 * 2, 'what is typed does not play');
  assert.ok(!await page.isVisible('#mistake'));
  await page.click('[data-close=editor]');
  quiet();
});

test('a mesh that a scene names is asked for', async () => {
  const scene = `${good.replace('0.02', '0.05')}solid:\n  - {name: roof, shape: {type: mesh, file: models/roof.obj}}\n`;
  await dropped([['roof.yaml', scene]]);
  await until(() => page.textContent('#toast'), t => t.includes('roof.obj'), 'nobody asks for the mesh');
  const corners = [[0.4, 0.5, 0.4], [0.6, 0.5, 0.4], [0.6, 0.5, 0.6], [0.4, 0.5, 0.6], [0.5, 0.6, 0.5]];
  const obj = corners.map(c => `v ${c.join(' ')}`).join('\n') + '\nf 1 2 3 4\nf 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n';
  await dropped([['roof.obj', obj]]);
  await until(() => page.evaluate(() => globalThis.ondine.state.text), t => t.includes('roof'), 'the scene does not play with its mesh');
  await page.evaluate(() => { document.getElementById('editor').hidden = true; });
  quiet();
});

test('the scene is saved for the command', async () => {
  await tab('water');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=save]')]);
  const file = path.join(root, 'build/web-test', download.suggestedFilename());
  await download.saveAs(file);
  const {status, stderr} = spawnSync(command, ['check', file], {encoding: 'utf8'});
  assert.equal(status, 0, stderr);
  quiet();
});

test('a video is recorded', async () => {
  await page.click('[data-action=record]');
  await until(() => page.evaluate(() => globalThis.ondine.state.recorder.bytes), bytes => bytes > 2000, 'nothing is recorded');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=record]')]);
  assert.ok(fs.statSync(await download.path()).size > 2000);
  quiet();
});

test('a lost context comes back, and the simulation went on', async () => {
  const {time} = await stats(page);
  await page.evaluate(() => {
    globalThis.heard = [];
    for (const type of ['lost', 'restored']) globalThis.ondine.engine.addEventListener(type, () => globalThis.heard.push(type));
    globalThis.ondine.engine.send({type: 'lose', back: 300});
  });
  await until(() => page.evaluate(() => globalThis.heard), all => all.includes('restored'), 'the context does not come back');
  await until(colours, n => n > 20, 'nothing is drawn any more');
  await until(() => stats(page), s => s.time > time, 'the simulation stands still');
  it.errors.splice(0, it.errors.length, ...it.errors.filter(text => !/CONTEXT_LOST/.test(text))); // the browser's own word
  quiet();
});

test('shrunk to nothing and back', async () => {
  for (const [width, height] of [[1, 1], [200, 60], [SIZE.width, SIZE.height]]) {
    await page.setViewportSize({width, height});
    await page.waitForTimeout(200);
  }
  const {time} = await stats(page);
  await until(() => stats(page), s => s.time > time, 'the simulation stands still');
  await until(colours, n => n > 20, 'nothing is drawn any more');
  quiet();
});

test('a scene too large for the memory there is says so, and nothing is lost', async () => {
  await dropped([['large.yaml', good.replace('0.02', '0.0025')]]);
  await until(() => page.textContent('#mistake'), t => /memory/.test(t), 'nobody says that memory is missing');
  assert.ok(await particles() > 0);
  quiet();
});

test('pictures take as long as they take', async () => {
  await tab('melt');
  const s = await until(() => stats(page), x => x.stepMs > 0 && x.time > 0.3, 'nothing is measured');
  console.log(`wax: ${s.particles} particles, ${s.stepMs.toFixed(1)} ms a step, ${s.frameMs.toFixed(1)} ms a picture`);
  quiet();
});
