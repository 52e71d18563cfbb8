// SPDX-License-Identifier: MIT
// The page from a static host, without a net, on a phone, in the page's own thread, and where something is missing.
import assert from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import {gzipSync} from 'node:zlib';
import {ask, field, openBrowser, playing, stats, until, visit} from './browser.mjs';
import {good} from './mistakes.mjs';
import {root} from './native.mjs';
import {toFragment} from '../src/share.js';

const SIZE = {width: 480, height: 360};
const PHONE = {viewport: {width: 390, height: 700}, hasTouch: true, isMobile: true};
const LIMIT = 2e6; // bytes of page and module, compressed

async function within(options, use) {
  const it = await openBrowser({viewport: SIZE, plain: true, ...options});
  try {
    await use(it);
    assert.deepEqual(it.errors, []);
  } finally {
    await it.close();
  }
}

test('page and module are small', () => {
  const folder = path.join(root, 'build/web');
  const names = fs.readdirSync(folder).filter(name => !name.includes('threads') && name !== 'stage.js');
  const size = names.reduce((sum, name) => sum + gzipSync(fs.readFileSync(path.join(folder, name)), {level: 9}).length, 0);
  console.log(`page and module: ${(size / 1e6).toFixed(2)} MB compressed`);
  assert.ok(size < LIMIT, `${size} bytes`);
});

test('from a static host, on one thread, and then without a net', () => within({}, async ({browser, page, address}) => {
  await visit(page, address);
  assert.equal(await page.evaluate(() => crossOriginIsolated), false);
  await until(() => stats(page), s => s.time > 0, 'the simulation stands still');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await browser.setOffline(true);
  await page.reload();
  await playing(page);
  await until(() => stats(page), s => s.particles > 0, 'nothing plays without a net');
  await visit(page, address + 'index.html?worker=0');
  assert.ok(await page.evaluate(() => !globalThis.ondine.engine.worker));
}));

test('a new version is taken whole, once no page of the old one is open', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ondine-web-'));
  fs.cpSync(path.join(root, 'build/web'), folder, {recursive: true});
  const edit = (name, from, to) => {
    const file = path.join(folder, name);
    const text = fs.readFileSync(file, 'utf8');
    assert.ok(text.includes(from), name);
    fs.writeFileSync(file, text.replace(from, to));
  };
  const version = page => page.evaluate(() => [document.documentElement.dataset.version, globalThis.version]);
  const registered = (page, use) => page.evaluate(`navigator.serviceWorker.getRegistration().then(${use})`);
  try {
    await within({folder}, async ({page, address}) => {
      await visit(page, address);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await page.reload();
      edit('index.html', '<html', '<html data-version="2"');
      fs.appendFileSync(path.join(folder, 'page.js'), '\nglobalThis.version = "2";\n');
      edit('offline.js', "'ondine-' +", "'ondine-2-' +");
      await registered(page, 'r => r.update().then(() => undefined)');
      await until(() => registered(page, 'r => !!r.waiting'), x => x, 'the new version is not fetched');
      await visit(page, address);
      assert.ok((await version(page)).every(v => v === undefined), 'a page that is open is given the new version');
      await page.goto('about:blank');
      await until(async () => {
        await visit(page, address);
        const found = await version(page);
        assert.equal(found[0], found[1], 'versions are mixed');
        if (!found[0]) await page.goto('about:blank');
        return found[0];
      }, v => v === '2', 'the new version is not taken');
    });
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
});

test('a scene of a link that breaks the simulation is not started again for ever', () => within({}, async ({page, address}) => {
  await visit(page, `${address}#${await toFragment({tab: 'water', text: good})}`);
  for (const plays of [true, false]) {
    const answer = await page.evaluate(() => {
      const {engine} = globalThis.ondine;
      const pending = engine.ask({type: 'nothing'});
      engine.hear({type: 'broken', memory: false, text: 'a test'});
      return pending;
    });
    assert.match(answer.error, /stopped: a test/);
    await page.click('#trouble button');
    await until(() => page.evaluate(() => [!globalThis.ondine.engine.broken, globalThis.ondine.state.text]),
                ([whole, text]) => whole && (text === good) === plays, 'Start again does not go on');
    await until(() => stats(page), s => s.particles > 0, 'nothing plays');
  }
  await until(() => page.textContent('#mistake'), text => text.includes('twice'), 'nobody says that another scene plays');
  assert.equal(await page.inputValue('#scene'), good);
}));

test('memory refused in mid-run pauses the scene, which goes on when there is some again', () => within({}, async ({page, address}) => {
  await page.addInitScript(() => {
    const {grow} = WebAssembly.Memory.prototype;
    WebAssembly.Memory.prototype.grow = function (pages) {
      if (globalThis.refuse) throw new RangeError('refused, for a test');
      return grow.call(this, pages);
    };
  });
  await visit(page, address + '?worker=0');
  await until(() => stats(page), s => s.time > 0, 'the simulation stands still');
  const [before, text] = [await stats(page), await page.inputValue('#scene')];
  await page.evaluate(() => { // the next step needs more than there is: for the block that came, and all the rest is taken
    const {module} = globalThis.ondine.engine.stage;
    globalThis.ondine.engine.send({type: 'key', key: 'drop'});
    globalThis.refuse = true;
    globalThis.taken = [];
    for (let size = 1 << 24; size > 1 << 10; size >>= 1)
      for (let at = module._malloc(size); at; at = module._malloc(size)) globalThis.taken.push(at);
  });
  await until(() => stats(page), s => s.paused === 1, 'memory does not run out');
  await until(() => page.textContent('#toast'), t => /no memory to go on with.*P goes on/.test(t), 'nobody says that memory is missing');
  assert.match(await page.textContent('#status'), /paused/);
  for (let k = 0; k < 5; ++k) await page.keyboard.press('Space');
  await until(() => page.textContent('#toast'), t => /not (done|enough memory)/.test(t), 'nobody says that nothing was dropped');
  const {particles, time} = await stats(page);
  assert.ok(particles > before.particles, 'particles are lost');
  assert.equal(await page.inputValue('#scene'), text);
  await page.evaluate(() => {
    globalThis.refuse = false;
    for (const at of globalThis.taken) globalThis.ondine.engine.stage.module._free(at);
  });
  await page.keyboard.press('p');
  await until(() => stats(page), s => s.time > time && s.paused === 0, 'it does not go on');
  assert.ok(!await page.isVisible('#trouble'));
}));

test('a memory for threads that is refused is told, and one without threads plays', () => within({plain: false}, async ({page, address}) => {
  await page.addInitScript(() => {
    const {Worker: Plain} = globalThis;
    globalThis.Worker = class extends Plain {
      postMessage(message, ...rest) {
        if (message.module !== 'ondine-threads') return super.postMessage(message, ...rest);
        setTimeout(() => this.onmessage({data: {type: 'broken', memory: true, text: 'could not allocate memory'}}));
      }
    };
  });
  await page.goto(address);
  await until(() => page.textContent('#trouble'), t => /no more memory/.test(t), 'nobody says that memory is missing');
  await page.click('#trouble button');
  await playing(page);
  assert.equal(await page.evaluate(() => globalThis.ondine.engine.module), 'ondine');
}));

test('in the page’s own thread, where a worker cannot draw', () => within({}, async ({page, address}) => {
  await visit(page, address + '?worker=0');
  assert.ok(await page.evaluate(() => !globalThis.ondine.engine.worker));
  await until(() => stats(page), s => s.time > 0, 'the simulation stands still');
}));

test('on a phone: one finger melts, two fingers turn', () => within(PHONE, async ({browser, page, address}) => {
  await visit(page, address);
  const box = await page.locator('#picture').boundingBox();
  const hands = await browser.newCDPSession(page);
  const touch = (type, points) => hands.send('Input.dispatchTouchEvent', {type, touchPoints: points.map(([x, y], id) => ({id, x: box.x + x * box.width, y: box.y + y * box.height}))});
  const cold = await field(page, 'temperature', 2);
  await touch('touchStart', [[0.5, 0.55]]);
  await until(() => field(page, 'temperature', 2), t => t > cold + 10, 'the finger does not heat');
  await touch('touchEnd', []);
  const look = async () => (await ask(page, {type: 'meets', points: [[0.5, 0.1]]})).points[0];
  const before = await look();
  await touch('touchStart', [[0.4, 0.5], [0.6, 0.5]]);
  for (let k = 1; k <= 4; ++k) await touch('touchMove', [[0.4 - 0.05 * k, 0.5], [0.6 + 0.05 * k, 0.5]]);
  await touch('touchEnd', []);
  await until(look, now => Math.abs(now[0] - before[0]) > 1e-3, 'two fingers do nothing');
  await page.click('#clock [data-key=dials]');
  assert.ok(await page.isVisible('[data-dial=gravity]'));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `the page is ${wide} wide`);
}));

// What of the page is out of sight, under something else, or too small for a finger.
const awkward = page => page.evaluate(() => {
  const found = [], box = e => e.getBoundingClientRect(), shown = e => box(e).width > 0 && box(e).height > 0;
  const name = e => e.id || e.dataset.tab || e.dataset.tool || e.dataset.key || e.dataset.action || e.dataset.dial || e.textContent.slice(0, 20);
  for (const e of document.querySelectorAll('header *, #view *')) {
    const {left, right, top, bottom} = box(e);
    if (shown(e) && !e.closest('svg') && (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)) found.push(`${name(e)} is cut off`);
  }
  const boxes = ['status', 'word', 'legend', 'tools', 'clock'].map(id => document.getElementById(id)).filter(shown);
  boxes.forEach((a, k) => boxes.slice(k + 1).forEach(b => {
    const [p, q] = [box(a), box(b)];
    if (p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom) found.push(`${a.id} and ${b.id} overlap`);
  }));
  for (const e of document.querySelectorAll('#tabs button, #actions button, #tools button, #clock button, #word button')) {
    if (!shown(e)) continue;
    const {left, right, top, bottom, height} = box(e);
    if (height < 40) found.push(`${name(e)} is ${height} high`);
    const sheet = document.getElementById('dials').classList.contains('open');
    const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!e.contains(on) && (!sheet || e.dataset.key === 'dials')) found.push(`${name(e)} cannot be reached`);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page is too wide');
  return found;
});

test('on phones and tablets nothing is cut off, covered, or too small for a finger', () => within({...PHONE, deviceScaleFactor: 3}, async ({page, address}) => {
  await visit(page, address);
  for (const [width, height] of [[390, 844], [844, 390], [320, 568], [568, 320], [820, 1180]]) {
    await page.setViewportSize({width, height});
    for (const tab of ['melt', 'water', 'smoke', 'sand', 'liquid']) {
      await page.evaluate(tab => globalThis.ondine.openTab(globalThis.ondine.tabs.find(t => t.id === tab)), tab);
      await until(() => page.textContent('#status'), text => /real time/.test(text), 'nothing is measured');
      assert.deepEqual(await awkward(page), [], `${tab}, ${width} x ${height}`);
    }
    await page.click('#clock [data-key=dials]');
    assert.deepEqual(await awkward(page), [], `dials, ${width} x ${height}`);
    await page.click('#clock [data-key=dials]');
    assert.ok(!await page.isVisible('#dials'));
  }
}));

test('walls are taken back, and all is seen again, by a finger alone', () => within(PHONE, async ({page, address}) => {
  await visit(page, address + '#water');
  await until(() => page.getAttribute('#tools [data-tool=wall]', 'aria-pressed'), on => on === 'true', 'there is no tool for walls');
  const box = await page.locator('#picture').boundingBox();
  await page.touchscreen.tap(box.x + 0.6 * box.width, box.y + 0.5 * box.height);
  await until(() => page.inputValue('#scene'), text => text.includes('wall 1'), 'there is no wall');
  await page.tap('#clock [data-key=undo]');
  await until(() => page.inputValue('#scene'), text => !text.includes('wall 1'), 'the wall stays');
  await until(() => page.isVisible('#clock [data-key=undo]'), seen => !seen, 'there is nothing to take back');
  const look = async () => (await ask(page, {type: 'meets', points: [[0.5, 0.5]]})).points[0];
  const before = await look();
  await page.evaluate(() => globalThis.ondine.engine.send({type: 'zoom', factor: 0.5}));
  assert.ok(Math.abs((await look())[0] - before[0]) > 1e-3);
  await page.tap('#clock [data-key=dials]');
  await page.tap('#dials .wide');
  assert.deepEqual(await look(), before);
}));

test('the picture has the pixels that the screen has, two for each of the page’s at most', () => within({}, async ({browser, address}) => {
  for (const [ratio, pixels] of [[1, 1], [1.5, 1.5], [3, 2]]) {
    const sharp = await browser.browser().newContext({viewport: {width: 300, height: 200}, deviceScaleFactor: ratio});
    const page = await sharp.newPage();
    await visit(page, address + '?sharp');
    const sizes = () => page.evaluate(() => { const c = document.getElementById('picture'); return [[c.width, c.height], [c.clientWidth, c.clientHeight]]; });
    await until(sizes, ([canvas, box]) => canvas.every((side, k) => Math.abs(side - pixels * box[k]) <= 1), `at ${ratio} pixels`, 20);
    await sharp.close();
  }
}));

test('without WebAssembly, and without WebGL 2, it says so', () => within({}, async ({page, address}) => {
  await page.addInitScript(() => { if (location.search === '?old') delete globalThis.WebAssembly; });
  await page.addInitScript(() => {
    if (location.search !== '?plain') return;
    const {getContext} = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest); };
  });
  await page.goto(address + '?old');
  await until(() => page.textContent('#trouble'), text => text.includes('WebAssembly'), 'nobody says what is missing');
  await page.goto(address + '?plain');
  await until(() => page.textContent('#trouble'), text => text.includes('WebGL 2'), 'nobody says what is missing');
}));
