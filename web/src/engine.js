// SPDX-License-Identifier: MIT
// The page's line to the simulation: messages to a worker, or to the same code in this thread where a worker cannot
// have the canvas.

/** What this browser has, and what it lacks. */
export function abilities() {
  const offscreen = typeof OffscreenCanvas === 'function' && 'transferControlToOffscreen' in HTMLCanvasElement.prototype;
  let webgl = false;
  try {
    const trial = document.createElement('canvas');
    const context = trial.getContext('webgl2');
    webgl = !!context;
    context?.getExtension('WEBGL_lose_context')?.loseContext();
  } catch { /* none */ }
  const simd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
  const wasm = typeof WebAssembly === 'object';
  return {offscreen, webgl, wasm, simd: wasm && WebAssembly.validate(simd),
          threads: !!globalThis.crossOriginIsolated && typeof SharedArrayBuffer === 'function'};
}

function loadScript(address) {
  return new Promise((done, fail) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = done;
    script.onerror = () => fail(new Error(`${address} cannot be loaded`));
    document.head.append(script);
  });
}

export class Engine extends EventTarget {
  constructor({threads, worker}) {
    super();
    this.base = new URL('./', document.baseURI).href;
    this.module = threads ? 'ondine-threads' : 'ondine';
    this.threaded = worker;
    this.asked = new Map();
    this.number = 0;
  }

  async start(canvas, size) {
    const message = {type: 'start', base: this.base, module: this.module, ...size};
    if (this.threaded) {
      const offscreen = canvas.transferControlToOffscreen();
      this.worker = new Worker(this.base + 'worker.js');
      this.worker.onmessage = ({data}) => this.hear(data);
      this.worker.onerror = event => this.hear({type: 'broken', memory: false, text: event.message ?? 'the worker did not start'});
      this.worker.postMessage({...message, canvas: offscreen}, [offscreen]);
      return;
    }
    await loadScript(this.base + this.module + '.js');
    await loadScript(this.base + 'stage.js');
    this.stage = new globalThis.OndineStage.Stage(data => this.hear(data), globalThis.OndineModule, this.base);
    await this.stage.handle({...message, canvas});
  }

  send(message, transfer = []) {
    if (this.worker) this.worker.postMessage(message, transfer);
    else this.stage?.handle(message);
  }

  /** Sends a message that is answered; where the simulation broke, by what says so. */
  ask(message) {
    if (this.broken) return Promise.resolve(this.broken);
    const number = ++this.number;
    return new Promise(answer => {
      this.asked.set(number, answer);
      this.send({...message, number});
    });
  }

  hear(data) {
    if (data.type === 'broken') {
      if (this.broken) return;
      this.broken = {broken: true, error: `The simulation stopped: ${data.text}`};
      for (const answer of this.asked.values()) answer(this.broken);
      this.asked.clear();
    }
    const answer = this.asked.get(data.number);
    if (answer) {
      this.asked.delete(data.number);
      answer(data);
    }
    this.dispatchEvent(new CustomEvent(data.type, {detail: data}));
  }
}
