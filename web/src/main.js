// SPDX-License-Identifier: MIT
// The page: tabs, tools, dials, the editor, and what happens when something is missing.
import {abilities, Engine} from './engine.js';
import {icon} from './icons.js';
import {hands} from './hands.js';
import {makeEditor} from './editor.js';
import {showDials} from './dials.js';
import {fromFragment, toFragment} from './share.js';
import {makeRecorder} from './record.js';
import {meltScene, tabs} from './tabs.js';
import {addWall, extent, thin} from './walls.js';
import {dropFiles, missingFiles} from './files.js';
import {explain, helpTable} from './words.js';

const $ = id => document.getElementById(id);
const WALL = 'wall';
const TOOL_WORDS = {push: 'Push', pull: 'Pull', pour: 'Pour', heat: 'Torch', cool: 'Freeze', cut: 'Cut', grab: 'Grab', wall: 'Wall'};

// What the page is showing. A restart of the engine (its thread died, its memory ran out) starts from this again.
const state = {
  tab: tabs[0], text: '', name: 'scene.yaml', files: new Map(), turned: {}, look: {}, tool: 'push', tools: [], dials: [], stats: {},
  before: [], dark: false, threads: false, recorder: null,
  scarce: false, // memory was refused
  trying: '', broke: {text: '', times: 0} // the scene that is being opened; the one that broke the engine last
};
let engine, editor;

// ---- small things

let toastTimer;
function toast(text) {
  const box = $('toast');
  box.textContent = text;
  box.classList.toggle('shown', !!text);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.classList.remove('shown'), Math.max(4500, 70 * text.length)); // ms to read it in
}

function trouble(what, action) {
  const {title, text, button} = explain(what);
  $('trouble').innerHTML = `<div><h2></h2><p></p>${button ? '<button></button>' : ''}</div>`;
  $('trouble').querySelector('h2').textContent = title;
  $('trouble').querySelector('p').textContent = text;
  if (button) {
    $('trouble').querySelector('button').textContent = button;
    $('trouble').querySelector('button').onclick = () => { $('trouble').hidden = true; action?.(); };
  }
  $('trouble').hidden = false;
}

function setTheme(dark, keep) {
  state.dark = dark;
  document.documentElement.classList.toggle('dark', dark);
  if (keep) try { localStorage.setItem('ondine-theme', dark ? 'dark' : 'light'); } catch { /* private */ }
  sendLook();
}

function sendLook() {
  engine?.send({type: 'look', ...state.look, dark: state.dark});
}

// ---- scenes

let opening = 0;
/** Plays a scene. Answers its mistake, '' for none; what was played goes on then. */
async function open(text, {name = 'scene.yaml', same = false, look, dials} = {}) {
  const mine = ++opening;
  const files = missingFiles(text, state.files);
  if (look) state.look = look;
  sendLook();
  state.trying = text;
  const answer = await engine.ask({type: 'open', text, name, same, files: files.found});
  if (answer.broken) return ''; // no mistake of the scene's: the page says that the simulation stopped
  if (mine !== opening) return answer.error;
  state.trying = '';
  if (!answer.good) {
    if (files.missing.length) toast(`The scene names ${files.missing.join(', ')}: drop ${files.missing.length > 1 ? 'them' : 'it'} here, too`);
    return answer.error;
  }
  if (!same) {
    state.turned = {};
    state.before = [];
  }
  Object.assign(state, {text, name});
  for (const [dial, value] of Object.entries(dials ?? {})) turn(dial, value);
  return '';
}

async function openTab(tab, {text, look, dials, keep} = {}) {
  state.tab = tab;
  for (const button of $('tabs').children) button.setAttribute('aria-selected', button.dataset.tab === tab.id);
  $('word').hidden = !tab.word;
  $('hint').textContent = text ? '' : tab.hint;
  $('hint').classList.remove('gone');
  if (!keep) history.replaceState(null, '', tab === tabs[0] ? location.pathname + location.search : '#' + tab.id);
  const scene = text ?? tab.scene();
  editor.show(scene, `${tab.id}.yaml`);
  const error = await open(scene, {name: `${tab.id}.yaml`, look: look ?? tab.look, dials});
  editor.tell(error);
  if (!error) takeTool(tab.tool);
  return error;
}

async function edit(text) {
  const error = await open(text, {name: state.name});
  editor.tell(error);
}

// ---- tools, dials, time

const canDraw = () => state.stats.dimension === 2 && state.tools.some(t => t.name === 'cut' && t.works);

function takeTool(name) {
  const place = state.tools.findIndex(t => t.name === name);
  if (name === WALL ? !canDraw() : place < 0 || !state.tools[place].works) {
    if (state.tools.length) {
      const usable = state.tools.findIndex(t => t.works);
      if (place >= 0) engine.send({type: 'tool', tool: place}); // it says why not
      if (state.tool === WALL && !canDraw() && usable >= 0) takeTool(state.tools[usable].name);
    }
    return;
  }
  state.tool = name;
  if (place >= 0) engine.send({type: 'tool', tool: place});
  showTools();
}

let shownTools = '';
function showTools() {
  const all = [...state.tools, ...(canDraw() ? [{name: WALL, works: true}] : [])];
  const key = JSON.stringify([all, state.tool]);
  if (key === shownTools) return;
  shownTools = key;
  $('tools').replaceChildren(...all.filter(t => t.works).map(tool => {
    const button = document.createElement('button');
    button.dataset.tool = tool.name;
    button.innerHTML = `${icon(tool.name)}<span>${TOOL_WORDS[tool.name] ?? tool.name}</span>`;
    button.title = TOOL_WORDS[tool.name] ?? tool.name;
    button.setAttribute('aria-label', button.title);
    button.setAttribute('aria-pressed', tool.name === state.tool);
    button.onclick = () => takeTool(tool.name);
    return button;
  }));
}

function turn(name, value) {
  state.turned[name] = value;
  engine.send({type: 'dial', name, value});
}

function key(name) {
  engine.send({type: 'key', key: name});
}

function makeClock() {
  const add = (name, label, key_, action, cls = '') => {
    const button = document.createElement('button');
    button.className = cls;
    button.dataset.key = name;
    button.title = `${label} (${key_})`;
    button.setAttribute('aria-label', label);
    button.innerHTML = `${icon(name)}<span>${label}</span>`;
    button.onclick = action;
    $('clock').append(button);
    return button;
  };
  add('drop', 'Drop', 'Space', () => key('drop'));
  add('pause', 'Pause', 'P', () => key('pause'));
  add('step', 'Step', 'S', () => key('step'));
  add('restart', 'Restart', 'R', restart);
  add('undo', 'Undo wall', 'U', undoWall).hidden = true;
  add('dials', 'Dials', 'D', toggleDials, 'sheet-button');
}

function toggleDials() {
  $('dials').classList.toggle('open');
}

function restart() {
  key('restart');
}

function fit() {
  engine.send({type: 'fit'});
}

// ---- what the engine tells

const short = value => Number(value.toPrecision(3)).toString();

function showLegend({low, high, value, unit, dimension, particles}) {
  // a surface in space looks like what it is of, and shows no values
  const plain = state.look.surface && dimension === 3 && particles > 0;
  const seen = state.shades?.length && high > low && value && !plain;
  $('legend').hidden = !seen;
  if (!seen) return;
  const [left, , right, name] = $('legend').children;
  left.textContent = short(low);
  right.textContent = `${short(high)} ${unit}`;
  name.textContent = value;
}

function showStats({stats, tool, tools, dials}) {
  state.stats = {...state.stats, ...stats};
  if (tools) state.tools = tools;
  if (dials) {
    state.dials = dials;
    showDials($('dials'), {dials, look: state.look, onTurn: turn, onLook: look => { state.look = {...state.look, ...look}; sendLook(); }, onFit: fit});
  }
  if (state.tool !== WALL && state.tools[tool]) state.tool = state.tools[tool].name;
  showTools();
  const s = state.stats;
  const number = new Intl.NumberFormat('en').format(s.particles);
  const rate = s.paused ? 'paused' : s.burst ? 'burst' : s.rate > 0.97 ? 'real time' : s.rate > 0 ? `${Math.round(100 * s.rate)} % of real time` : '';
  const parts = [[s.particles && `${number} particles`], [s.stepMs && `${s.stepMs.toFixed(1)} ms a step`, 'fine'],
                 [s.pictures && `${Math.round(s.pictures)} pictures a second`, 'fine'], [rate]];
  $('status').replaceChildren(...parts.filter(([text]) => text).map(([textContent, className = '']) =>
    Object.assign(document.createElement('span'), {textContent, className})));
  showLegend(s);
  const pause = $('clock').querySelector('[data-key=pause]');
  pause.setAttribute('aria-pressed', !!s.paused);
  pause.querySelector('svg').outerHTML = icon(s.paused ? 'play' : 'pause');
  pause.querySelector('span').textContent = s.paused ? 'Go on' : 'Pause';
  $('clock').querySelector('[data-key=undo]').hidden = !state.before.length;
  document.documentElement.dataset.running = s.paused ? 'paused' : 'yes';
}

function listen() {
  const on = (type, hear) => engine.addEventListener(type, event => hear(event.detail));
  on('stats', showStats);
  on('shades', ({shades}) => {
    state.shades = shades;
    $('legend').style.setProperty('--colours', `linear-gradient(90deg, ${shades.join(', ')})`);
  });
  on('message', ({text}) => toast(text));
  on('log', ({text}) => console.info(text));
  on('lost', () => toast('The graphics card was taken away; the simulation goes on, and the picture comes back with it'));
  on('restored', () => toast('The picture is back'));
  on('undrawn', () => trouble('webgl'));
  on('broken', ({memory, text}) => {
    console.info(text);
    const culprit = state.trying || state.text;
    state.broke = {text: culprit, times: state.broke.text === culprit ? state.broke.times + 1 : 1};
    state.trying = '';
    state.scarce ||= memory; // threads share a memory that is asked for whole: without them there may be enough
    trouble(memory ? 'memory' : 'broken', start);
  });
}

// ---- start

function canvasSize() {
  const box = $('stage').getBoundingClientRect();
  const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
  return {width: box.width * ratio, height: box.height * ratio};
}

function start() {
  begin().catch(error => { console.info(String(error)); trouble('broken', start); });
}

/** Makes an engine, also in the place of one that broke: the scene and its dials are kept. */
async function begin() {
  const able = abilities();
  const asked = new URLSearchParams(location.search);
  if (!able.wasm || !able.simd) return trouble('wasm');
  if (!able.webgl) trouble('webgl');
  engine?.worker?.terminate();
  const canvas = document.createElement('canvas');
  canvas.id = 'picture';
  canvas.setAttribute('aria-label', 'The simulation');
  $('stage').replaceChildren(canvas);
  state.threads = able.threads && asked.get('threads') !== '1' && !state.scarce;
  engine = globalThis.ondine.engine = new Engine({threads: state.threads, worker: able.offscreen && asked.get('worker') !== '0'});
  listen();
  await engine.start(canvas, {...canvasSize(), sharp: asked.has('sharp')});
  hands(canvas, {engine: () => engine, tool: () => state.tool, flat: () => state.stats.dimension === 2, drew, touched: () => $('hint').classList.add('gone')});
  const again = state.text;
  if (!again) return first();
  if (brokeTwice(again)) return playAnother(again, state.name);
  const dials = state.turned;
  if (await open(again, {name: state.name, dials})) await openTab(tabs[0]);
}

// Started again once: what broke may have been the memory. Not for ever.
const brokeTwice = text => state.broke.times > 1 && state.broke.text === text;

/** Plays the first tab beside the text of a scene that breaks the engine. */
async function playAnother(text, name) {
  await openTab(tabs[0], {keep: true});
  editor.show(text, name);
  editor.tell('This scene stopped the simulation twice. Another one plays until it is changed.');
  editor.open(true);
}

async function first() {
  const shared = await fromFragment(location.hash);
  if (shared instanceof Error) toast(shared.message);
  if (shared?.text) {
    const tab = tabs.find(t => t.id === shared.tab) ?? tabs[0];
    if (brokeTwice(shared.text)) return playAnother(shared.text, `${tab.id}.yaml`);
    const error = await openTab(tab, {text: shared.text, look: shared.look, dials: shared.dials, keep: true});
    if (error) { toast('The scene of this link has a mistake'); editor.open(true); }
    return;
  }
  const tab = tabs.find(t => '#' + t.id === location.hash) ?? tabs[0];
  await openTab(tab);
}

async function drew(points) {
  const {points: places} = await engine.ask({type: 'meets', points});
  if (!places) return;
  let text;
  try {
    const radius = 0.009 * extent(state.text);
    text = addWall(state.text, thin(places, 3 * radius), radius);
  } catch (error) {
    console.info(String(error));
    return toast('This scene takes no wall: its list of solids is not one that can be added to');
  }
  const before = state.text;
  const error = await open(text, {name: state.name, same: true});
  if (error) return toast('This wall cannot stand there');
  state.before.push(before);
  editor.show(text, state.name);
}

async function undoWall() {
  const text = state.before.pop();
  if (text === undefined) return;
  const kept = state.before;
  await open(text, {name: state.name, same: true});
  state.before = kept;
  editor.show(text, state.name);
}

async function share() {
  const {turned: dials, text, look, tab} = state;
  const fragment = await toFragment({tab: tab.id, text, dials, look});
  if (fragment instanceof Error) return toast(fragment.message);
  const address = `${location.origin}${location.pathname}#${fragment}`;
  history.replaceState(null, '', address);
  try {
    await navigator.clipboard.writeText(address);
    toast('The link to this scene is copied');
  } catch {
    toast('The link to this scene is in the address line');
  }
}

export function download(name, blob) {
  const link = Object.assign(document.createElement('a'), {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function save() {
  const {text, error} = await engine.ask({type: 'yaml'});
  if (error || !text) return toast(error || 'There is no scene yet');
  download(state.name, new Blob([text], {type: 'application/yaml'}));
  toast(`Saved: “ondine run ${state.name}” simulates it`);
}

function record() {
  const button = $('actions').querySelector('[data-action=record]');
  if (state.recorder) {
    state.recorder.stop();
    state.recorder = null;
    button.classList.remove('recording');
    return;
  }
  state.recorder = makeRecorder($('picture'), blob => {
    download(`ondine-${state.tab.id}.${blob.type.includes('mp4') ? 'mp4' : 'webm'}`, blob);
    toast('The video is saved');
  });
  if (!state.recorder) return toast('This browser records no video');
  button.classList.add('recording');
  toast('Recording; press again to stop');
}

function help(shown = $('help').hidden) {
  $('help').innerHTML = helpTable;
  $('help').hidden = !shown;
}

const actions = [
  ['edit', 'The scene as text (E)', () => editor.open()],
  ['share', 'Copy a link to this scene', share],
  ['record', 'Record a video', record],
  ['save', 'Save the scene for the command', save],
  ['theme', 'Light or dark', () => setTheme(!state.dark, true)],
  ['help', 'Keys (H)', () => help()]
];

function keys(event) {
  if (event.target.closest?.('input, textarea, select') || event.ctrlKey || event.metaKey || event.altKey) {
    if (event.key === 'Escape') event.target.blur?.();
    if ((event.ctrlKey || event.metaKey) && event.key === 'z' && !event.target.closest?.('input, textarea')) undoWall();
    return;
  }
  const plain = {' ': () => key('drop'), r: restart, p: () => key('pause'), s: () => key('step'), h: () => help(), '?': () => help(),
                 Escape: () => help(false), e: () => editor.open(), f: fit, u: undoWall, d: toggleDials};
  const action = plain[event.key] ?? plain[event.key.toLowerCase()];
  const number = Number(event.key);
  if (action) action();
  else if (number >= 1 && number <= 8) $('tools').children[number - 1]?.click();
  else return;
  event.preventDefault();
}

function build() {
  document.body.insertAdjacentHTML('afterbegin', `<svg width="0" height="0" style="position:absolute"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#38bdf8"/><stop offset="1" stop-color="#6366f1"/></linearGradient><symbol id="i-drop" viewBox="0 0 32 32"><path d="M16 2.500C12 9 6 14 6 20a10 10 0 0 0 20 0C26 14 20 9 16 2.500Z" fill="url(#g)"/><path d="M11 20.500a5.200 5.200 0 0 0 5 5" fill="none" stroke="#fff" stroke-width="2.200" stroke-linecap="round" opacity=".85"/></symbol></defs></svg>`);
  for (const tab of tabs) {
    const button = document.createElement('button');
    Object.assign(button, {textContent: tab.label, onclick: () => openTab(tab)});
    button.dataset.tab = tab.id;
    button.setAttribute('role', 'tab');
    $('tabs').append(button);
  }
  for (const [name, title, action] of actions) {
    const button = document.createElement('button');
    Object.assign(button, {title, onclick: action, innerHTML: icon(name)});
    button.dataset.action = name;
    button.setAttribute('aria-label', title);
    $('actions').append(button);
  }
  makeClock();
  const narrow = matchMedia('(max-width: 1000px)'); // no room for it among the tabs
  const placeStatus = () => narrow.matches ? $('view').append($('status')) : $('actions').before($('status'));
  narrow.addEventListener('change', placeStatus);
  placeStatus();
  document.querySelector('.brand').onclick = event => { event.preventDefault(); openTab(tabs[0]); };
  $('help').onclick = event => { if (event.target === $('help') || event.target.closest('button')) help(false); };
  const melt = () => {
    const word = $('word-text').value.trim() || 'WAX';
    const text = meltScene(word);
    editor.show(text, 'melt.yaml');
    open(text, {name: 'melt.yaml'}).then(error => { editor.tell(error); if (error) toast(error.split('\n')[0]); });
    $('word-text').blur();
  };
  $('word-text').value = 'WAX';
  $('word-melt').onclick = melt;
  $('word-text').onkeydown = event => { if (event.key === 'Enter') melt(); };
  addEventListener('keydown', keys);
  addEventListener('hashchange', async () => { if (location.hash.startsWith('#s=')) await first(); });
  new ResizeObserver(() => engine?.send({type: 'size', ...canvasSize()})).observe($('stage'));
  dropFiles(document, $('drop'), async files => {
    for (const [name, bytes] of files.meshes) state.files.set(name, bytes);
    const scene = files.scene ?? (files.meshes.size ? {text: editor.text(), name: state.name} : null);
    if (!scene) return toast('A scene is a text in YAML; meshes are OBJ, PLY or STL');
    editor.show(scene.text, scene.name);
    const error = await open(scene.text, {name: scene.name, look: {surface: true, look: '', colour: 'speed'}});
    editor.tell(error);
    if (error) editor.open(true);
  });
}

let theme = null;
try { theme = localStorage.getItem('ondine-theme'); } catch { /* private */ }
globalThis.ondine = {state, open, openTab, tabs};
editor = makeEditor({panel: $('editor'), area: $('scene'), gutter: $('gutter'), mistake: $('mistake'), name: $('editor-name'),
                     label: $('editor-state'), onEdit: edit,
                     onToggle: shown => $('actions').querySelector('[data-action=edit]').setAttribute('aria-pressed', shown)});
build();
setTheme(theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
start();
if ('serviceWorker' in navigator && location.protocol.startsWith('http')) navigator.serviceWorker.register('offline.js').catch(() => {});
