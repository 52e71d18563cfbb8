// SPDX-License-Identifier: MIT
// The simulation and its picture, in the thread that owns the canvas: a worker's, or the page's own where there is no
// OffscreenCanvas. Takes messages, posts what there is to be told; knows no DOM.
import {makeModule, textAt, withText} from './library.js';
import {traceLetters} from './letters.js';

const BUDGET = 0.011;     // s of the clock for steps before each picture: 60 pictures a second leave that
const LONGEST = 0.05;     // s that a picture may ask for: what is longer was a pause
const TELL_EVERY = 0.25;  // s between two reports
const SLOW = 15;          // pictures a second; where drawing alone is to blame, pixels become larger
const COARSEST = 0.4;     // of the pixels that there are, across
const STATS = ['particles', 'time', 'stepMs', 'steps', 'rate', 'paused', 'burst', 'low', 'high', 'dimension'];
const DIAL_TEXTS = ['name', 'label', 'unit', 'why'];
const DIAL_NUMBERS = ['least', 'most', 'value', 'logarithmic', 'restarts', 'works'];
export const KEYS = {drop: 0, restart: 1, pause: 2, step: 3};
export const POINTERS = {hover: 0, down: 1, move: 2, up: 3};

// A processor that stands in for a graphics card: at full size the first pictures alone would take seconds.
function drawsInSoftware(context) {
  let name = context.getParameter(context.RENDERER);
  const unmasked = name === 'WebKit WebGL' && context.getExtension('WEBGL_debug_renderer_info');
  if (unmasked) name = context.getParameter(unmasked.UNMASKED_RENDERER_WEBGL);
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Stage {
  constructor(post, factory, base) {
    this.post = post;
    this.factory = factory;
    this.base = base;
    this.pictures = 0;
    this.told = this.last = 0;
    this.work = this.simulated = 0;
    this.messages = -1;
    this.size = {width: 1, height: 1};
    this.scale = 1;
    this.slow = 0;
  }

  async handle(message) {
    if (this.stopped) return; // what fails after a failure would hide its cause
    try {
      return await this['on_' + message.type](message);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    this.stopped = true;
    const text = String(error?.message ?? error);
    const memory = (error instanceof RangeError || /memory|allocat/i.test(text)) && !/call stack|out of bounds/i.test(text);
    this.post({type: 'broken', memory, text});
  }

  // ---- start

  async on_start({canvas, width, height, sharp}) {
    this.sharp = sharp; // pixels stay as they are, however slow
    this.canvas = canvas;
    this.module = await makeModule(this.factory, {
      letters: traceLetters,
      locateFile: name => this.base + name,
      mainScriptUrlOrBlob: this.base + 'ondine-threads.js',
      print: () => {}, printErr: text => this.post({type: 'log', text})
    });
    this.page = this.module._ond_page_create();
    if (!this.page) throw new RangeError('no memory');
    canvas.addEventListener('webglcontextlost', event => this.lost(event));
    canvas.addEventListener('webglcontextrestored', () => this.restored());
    this.on_size({width, height});
    this.post({type: 'ready', drawn: this.makeContext()});
    this.ask = globalThis.requestAnimationFrame?.bind(globalThis) ?? (turn => setTimeout(() => turn(performance.now()), 16));
    this.ask(now => this.turn(now));
  }

  makeContext() {
    const options = {antialias: false, alpha: false, depth: false, stencil: false, preserveDrawingBuffer: false,
                     powerPreference: 'high-performance'};
    this.context ??= this.canvas.getContext('webgl2', options);
    if (!this.context) return this.undrawn('WebGL 2 is not to be had');
    if (!this.sharp && drawsInSoftware(this.context)) this.scale = COARSEST;
    for (const name of ['EXT_color_buffer_float', 'EXT_color_buffer_half_float', 'OES_texture_float_linear', 'EXT_float_blend'])
      this.context.getExtension(name);
    const {GL} = this.module;
    if (this.handle_) GL.deleteContext?.(this.handle_);
    this.handle_ = GL.registerContext(this.context, {majorVersion: 2, minorVersion: 0, enableExtensionsByDefault: true});
    GL.makeContextCurrent(this.handle_);
    return this.module._ond_page_context(this.page) ? true : this.undrawn(this.error());
  }

  undrawn(why) {
    this.post({type: 'undrawn', text: why});
    return false;
  }

  lost(event) {
    event.preventDefault(); // it may come back
    this.isLost = true;
    this.module._ond_page_context_lost(this.page);
    this.post({type: 'lost'});
  }

  restored() {
    this.isLost = false;
    if (this.makeContext()) this.post({type: 'restored'});
  }

  error() {
    return textAt(this.module, this.module._ond_page_error(this.page));
  }

  // ---- scenes

  on_open({text, name, same, files, number}) {
    const {module, page} = this;
    for (const {path, bytes} of files ?? []) this.keep(path, bytes);
    const good = withText(module, text, t => withText(module, name, n => module._ond_page_open(page, t, n, same ? 1 : 0)));
    const error = good ? '' : this.error();
    if (good) {
      this.messages = module._ond_page_messages(page);
      this.tell(true);
    }
    this.post({type: 'opened', good: !!good, error, number});
  }

  /** A file that the scene names, where it will look for it. */
  keep(path, bytes) {
    const {FS} = this.module;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    FS.mkdirTree('/' + folder);
    FS.writeFile('/' + path, new Uint8Array(bytes));
  }

  on_yaml({number}) {
    const at = this.module._ond_page_yaml(this.page);
    const text = textAt(this.module, at);
    if (at) this.module._free(at);
    this.post({type: 'yaml', text, error: at ? '' : this.error(), number});
  }

  // ---- what hands do

  on_size({width, height}) {
    this.size = {width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height))};
    this.resized = true;
  }

  on_look({surface, look, colour, low, high, dark}) {
    withText(this.module, look ?? '', l => withText(this.module, colour ?? 'speed', c =>
      this.module._ond_page_look(this.page, surface ? 1 : 0, l, c, low ?? 0, high ?? 0, dark ? 1 : 0)));
  }

  on_pointer({what, x, y}) { this.module._ond_page_pointer(this.page, POINTERS[what], x, y); }
  on_turn({yaw, pitch}) { this.module._ond_page_turn(this.page, yaw, pitch); }
  on_pan({right, up}) { this.module._ond_page_pan(this.page, right, up); }
  on_zoom({factor}) { this.module._ond_page_zoom(this.page, factor); }
  on_fit() { this.module._ond_page_fit(this.page); }

  on_key({key}) {
    this.module._ond_page_key(this.page, KEYS[key]);
    this.tell(true);
  }

  on_tool({tool}) {
    this.module._ond_page_tool(this.page, tool);
    this.tell(true);
  }

  on_dial({name, value}) {
    const good = withText(this.module, name, n => this.module._ond_page_set_dial(this.page, n, value));
    if (!good) this.post({type: 'message', text: this.error()});
  }

  /** Points of the picture on the plane z = 0. */
  on_meets({points, number}) {
    const at = (x, y, axis) => this.module._ond_page_meets(this.page, x, y, axis);
    this.post({type: 'meets', number, points: points.map(([x, y]) => [at(x, y, 0), at(x, y, 1)])});
  }

  on_field({name, which, number}) {
    const value = withText(this.module, name, n => this.module._ond_page_field(this.page, n, which));
    this.post({type: 'field', number, value});
  }

  on_lose({back}) {
    const extension = this.context?.getExtension('WEBGL_lose_context');
    extension?.loseContext();
    setTimeout(() => extension?.restoreContext(), back);
  }

  // ---- time

  turn(now) {
    if (this.stopped) return;
    const seconds = Math.min(LONGEST, this.last ? (now - this.last) / 1000 : 0);
    this.last = now;
    try {
      this.picture(seconds);
      if (now - this.told > 1000 * TELL_EVERY) this.tell(false, now);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.ask(next => this.turn(next));
  }

  picture(seconds) {
    const {module, page} = this;
    const start = performance.now();
    if (this.resized) {
      this.resized = false;
      this.canvas.width = Math.max(1, Math.round(this.scale * this.size.width));
      this.canvas.height = Math.max(1, Math.round(this.scale * this.size.height));
      module._ond_page_size(page, this.canvas.width, this.canvas.height);
    }
    if (!module._ond_page_advance(page, seconds, BUDGET)) this.trouble();
    this.simulated += performance.now() - start;
    if (!this.isLost && this.context && !module._ond_page_picture(page)) this.trouble();
    this.pictures++;
    this.work += performance.now() - start;
  }

  // A weak graphics card, or none: steps are quick, and pictures are few.
  ease({pictures, simulatedMs}) {
    this.slow = pictures < SLOW && simulatedMs < 0.5 * 1000 / pictures ? this.slow + 1 : 0;
    if (this.sharp || this.slow < 3 || this.scale <= COARSEST) return;
    this.slow = 0;
    this.scale = Math.max(COARSEST, 0.7 * this.scale);
    this.resized = true;
  }

  trouble() {
    const text = this.error();
    if (text && text !== this.said) this.post({type: 'message', text});
    this.said = text;
  }

  // ---- reports

  tell(whole, now = performance.now()) {
    const {module, page} = this;
    const stats = Object.fromEntries(STATS.map((name, k) => [name, module._ond_page_stat(page, k)]));
    const passed = (now - this.told) / 1000;
    if (passed > 0.1) {
      stats.pictures = this.pictures / passed;
      stats.frameMs = this.work / Math.max(1, this.pictures);
      stats.simulatedMs = this.simulated / Math.max(1, this.pictures);
      this.pictures = this.work = this.simulated = 0;
      this.told = now;
      this.ease(stats);
    }
    const number = module._ond_page_messages(page);
    if (number !== this.messages) {
      this.messages = number;
      this.post({type: 'message', text: textAt(module, module._ond_page_message(page))});
    }
    stats.value = textAt(module, module._ond_page_shown(page, 0));
    stats.unit = textAt(module, module._ond_page_shown(page, 1));
    if (stats.value !== this.coloured) {
      this.coloured = stats.value;
      this.post({type: 'shades', shades: this.shades(stats.value)});
    }
    this.post({type: 'stats', stats, tool: module._ond_page_tool_now(page),
               ...(whole ? {tools: this.tools(), dials: this.dials()} : {})});
  }

  /** CSS colours of a value from its low to its high end; none for what has no scale. */
  shades(value) {
    const shade = share => withText(this.module, value, v => this.module._ond_page_shade(v, share));
    const all = Array.from({length: 9}, (_, k) => shade(k / 8));
    return all[0] < 0 ? [] : all.map(rgb => '#' + rgb.toString(16).padStart(6, '0'));
  }

  tools() {
    const {module, page} = this;
    const all = [];
    for (let k = 0; module._ond_page_tool_name(k); ++k)
      all.push({name: textAt(module, module._ond_page_tool_name(k)), works: !!module._ond_page_tool_works(page, k)});
    return all;
  }

  dials() {
    const {module, page} = this;
    return Array.from({length: module._ond_page_dial_count(page)}, (_, dial) => Object.fromEntries([
      ...DIAL_TEXTS.map((name, k) => [name, textAt(module, module._ond_page_dial_text(page, dial, k))]),
      ...DIAL_NUMBERS.map((name, k) => [name, module._ond_page_dial_number(page, dial, k)])
    ]));
  }
}
