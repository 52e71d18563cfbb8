// SPDX-License-Identifier: MIT
// Letters as outlines: a canvas draws them with the browser's own fonts, and the edge of the ink is traced.
//
// Capitals come out 1 high, the ink starts at x = 0, and the last line stands on y = 0, as FreeType's do in the command.

const CAPITAL = 160;    // px: a curve is then within a few thousandths of a capital's height
const WIDEST = 8192;    // px of a canvas that every browser has
const TOLERANCE = 0.12; // px between the edge and the lines it becomes
const FALLBACK = '"DejaVu Sans", Verdana, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

function makeCanvas(width, height) {
  if (typeof OffscreenCanvas === 'function') return new OffscreenCanvas(width, height);
  return Object.assign(document.createElement('canvas'), {width, height});
}

// "DejaVu Sans Bold Italic" to what CSS calls it; without a name, bold.
function cssFont(name, size) {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const style = new Set();
  while (words.length > 1 && /^(bold|italic|oblique|regular|book)$/i.test(words.at(-1))) style.add(words.pop().toLowerCase());
  const family = words.length && !/[./]/.test(name) ? `"${words.join(' ')}", ` : '';
  const bold = style.has('bold') || words.length === 0;
  return `${style.has('italic') || style.has('oblique') ? 'italic ' : ''}${bold ? 'bold ' : ''}${size}px ${family}${FALLBACK}`;
}

// Ink of each pixel, 0 to 255, with a clear border.
function drawInk(text, font) {
  const lines = text.split('\n');
  const measure = makeCanvas(8, 8).getContext('2d');
  measure.font = cssFont(font, 100);
  const capital = measure.measureText('H').actualBoundingBoxAscent / 100 || 0.72;
  const wide = Math.max(1, ...lines.map(line => measure.measureText(line).width)) / 100;
  const size = Math.max(8, Math.min(CAPITAL / capital, (WIDEST - 64) / wide));
  const step = Math.round(1.2 * size), edge = Math.ceil(0.5 * size);
  const width = Math.ceil(wide * size) + 2 * edge, height = step * lines.length + 2 * edge;
  const canvas = makeCanvas(width, height);
  const pen = canvas.getContext('2d', {willReadFrequently: true});
  pen.font = cssFont(font, size);
  const base = edge + step * lines.length - Math.round(0.3 * size);
  lines.forEach((line, k) => pen.fillText(line, edge, base - step * (lines.length - 1 - k)));
  const {data} = pen.getImageData(0, 0, width, height);
  const ink = new Uint8Array(width * height);
  for (let k = 0; k < ink.length; ++k) ink[k] = data[4 * k + 3];
  return {ink, width, height, base, capital: capital * size};
}

// Where the ink crosses half on the way between two pixels.
const crossing = (a, b) => (127.5 - a) / (b - a);

// Edges of marching squares with the ink on the left, as a map from where one starts to where it ends. Points are named
// by the pair of pixels they lie between: 2 i for the one to the right, 2 i + 1 for the one below.
function findEdges({ink, width, height}) {
  const next = new Map();
  for (let y = 0; y + 1 < height; ++y)
    for (let x = 0; x + 1 < width; ++x) {
      const i = y * width + x;
      const kind = (ink[i] > 127) | (ink[i + 1] > 127) << 1 | (ink[i + width + 1] > 127) << 2 | (ink[i + width] > 127) << 3;
      if (kind === 0 || kind === 15) continue;
      const top = 2 * i, bottom = 2 * (i + width), left = 2 * i + 1, right = 2 * (i + 1) + 1;
      const add = (from, to) => next.set(from, to);
      switch (kind) {
        case 1: add(top, left); break;
        case 2: add(right, top); break;
        case 3: add(right, left); break;
        case 4: add(bottom, right); break;
        case 5: add(top, left); add(bottom, right); break;
        case 6: add(bottom, top); break;
        case 7: add(bottom, left); break;
        case 8: add(left, bottom); break;
        case 9: add(top, bottom); break;
        case 10: add(right, top); add(left, bottom); break;
        case 11: add(right, bottom); break;
        case 12: add(left, right); break;
        case 13: add(top, right); break;
        case 14: add(left, top); break;
      }
    }
  return next;
}

function pointOf({ink, width}, name) {
  const i = name >> 1, x = i % width, y = (i - x) / width;
  return name & 1 ? [x, y + crossing(ink[i], ink[i + width])] : [x + crossing(ink[i], ink[i + 1]), y];
}

// Leaves out points that lie within the tolerance of the line between those kept (Douglas and Peucker).
function simplify(points) {
  const keep = new Uint8Array(points.length);
  const far = Math.floor(points.length / 2);
  keep[0] = keep[far] = 1;
  const parts = [[0, far], [far, points.length]];
  while (parts.length) {
    const [first, last] = parts.pop();
    const [ax, ay] = points[first], [bx, by] = points[last % points.length];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    let worst = TOLERANCE, at = -1;
    for (let k = first + 1; k < last; ++k) {
      const off = Math.abs((points[k][0] - ax) * (by - ay) - (points[k][1] - ay) * (bx - ax)) / length;
      if (off > worst) [worst, at] = [off, k];
    }
    if (at < 0) continue;
    keep[at] = 1;
    parts.push([first, at], [at, last]);
  }
  return points.filter((_, k) => keep[k]);
}

/** Closed polygons of points in pixels, ink on their left (y points down). */
export function traceInk(picture) {
  const next = findEdges(picture);
  const loops = [];
  while (next.size) {
    const [start] = next.keys();
    const points = [];
    for (let at = start; next.has(at);) {
      const to = next.get(at);
      next.delete(at);
      points.push(pointOf(picture, at));
      at = to;
    }
    const simple = simplify(points);
    if (simple.length > 2) loops.push(simple);
  }
  return loops;
}

/** The block of bytes that page_text.c takes: loops, points of each, x and y of all; null where there is no ink. */
export function traceLetters(text, font) {
  const picture = drawInk(text, font);
  const loops = traceInk(picture);
  if (loops.length === 0) return null;
  const left = Math.min(...loops.map(loop => Math.min(...loop.map(([x]) => x))));
  const points = loops.reduce((sum, loop) => sum + loop.length, 0);
  const block = new ArrayBuffer(4 + 4 * loops.length + 8 * points);
  const numbers = new Int32Array(block), values = new Float32Array(block);
  numbers[0] = loops.length;
  let at = 1 + loops.length;
  loops.forEach((loop, k) => {
    numbers[1 + k] = loop.length;
    for (const [x, y] of loop) {
      values[at++] = (x - left) / picture.capital;
      values[at++] = (picture.base - 0.5 - y) / picture.capital;
    }
  });
  return new Uint8Array(block);
}
