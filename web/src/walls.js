// SPDX-License-Identifier: MIT
// Walls that one draws: a stroke becomes a solid of the scene, a chain of capsules.
import {isScalar, parseDocument} from 'yaml';

const PIECES = 24; // of a stroke: enough for a spiral, few enough to be read

/** Fewer points of a stroke: those that are farther than `apart` from the one before, evenly thinned. */
export function thin(points, apart) {
  const kept = points.filter((p, k) => k === 0);
  for (const p of points)
    if (Math.hypot(p[0] - kept.at(-1)[0], p[1] - kept.at(-1)[1]) >= apart) kept.push(p);
  const last = points.at(-1);
  if (kept.length > 1 || !last) { if (last && kept.at(-1) !== last) kept[kept.length - 1] = last; }
  const step = Math.max(1, (kept.length - 1) / PIECES);
  return kept.length - 1 <= PIECES ? kept : Array.from({length: PIECES + 1}, (_, k) => kept[Math.round(k * step)]);
}

/** The scene with one more wall along points of the plane. */
export function addWall(text, points, radius) {
  const document = parseDocument(text);
  const round = x => Number(x.toPrecision(4));
  const place = p => p.map(round);
  const capsule = (a, b) => ({type: 'capsule', from: place(a), to: place(b), radius: round(radius)});
  const parts = points.slice(1).map((p, k) => capsule(points[k], p));
  const shape = points.length < 2 ? {type: 'sphere', center: place(points[0]), radius: round(1.5 * radius)}
                                  : parts.length === 1 ? parts[0] : {type: 'union', parts};
  const kept = document.get('solid', true);
  if (!kept || isScalar(kept) && kept.value === null) document.set('solid', document.createNode([]));
  const solids = document.get('solid');
  const names = new Set(solids.items.map(item => item.get?.('name')));
  let number = 1;
  while (names.has(`wall ${number}`)) ++number;
  solids.flow = false;
  solids.add(document.createNode({name: `wall ${number}`, shape}, {flow: true}));
  return document.toString({lineWidth: 0, flowCollectionPadding: false});
}

/** How long an edge of the scene's domain is, for the thickness of walls; 1 where it has none. */
export function extent(text) {
  const domain = parseDocument(text).toJS()?.domain;
  const [min, max] = [domain?.min, domain?.max];
  return Array.isArray(min) && Array.isArray(max) ? Math.max(...max.map((x, k) => x - min[k]).filter(Number.isFinite)) || 1 : 1;
}
