// SPDX-License-Identifier: MIT
// YAML to the events that src/view/page/page_yaml.c makes a tree of.
//
// The tree, doubled keys, anchors and merge keys are the library's own business, so that a scene means the same, and
// its mistakes are told in the same words, as by the command. Here is syntax and where things stand, no more.
import {parseAllDocuments, isAlias, isMap, isSeq} from 'yaml';
import {phrase} from './yaml_words.js';

const DOCUMENT = 0, MAP = 1, LIST = 2, END = 3, SCALAR = 4, ALIAS = 5, ERROR = 6;
const QUOTED = 1, TAGGED = 2, BRACKETS = 4;

/** Line and column of an offset, from 1; columns count characters, not UTF-16 units. */
export function places(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return offset => {
    let low = 0, high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return {line: low + 1, column: [...text.slice(starts[low], offset)].length + 1};
  };
}

/** Walks documents and collects events up to the first mistake. */
class Collector {
  constructor(text) {
    this.text = text;
    this.place = places(text);
    this.events = [];
    this.end = Infinity;
  }

  add(kind, node, rest = {}) {
    const offset = rest.offset ?? node?.range?.[0];
    if (offset !== undefined && offset >= this.end) return false;
    const tag = node?.tag ? this.tagOf(node) : null;
    this.events.push({
      kind, place: offset === undefined || rest.nowhere ? {line: 0, column: 0} : this.place(offset),
      text: '', flags: tag ? TAGGED : 0, anchor: node?.anchor ?? null, tag, ...rest
    });
    return true;
  }

  event(kind, offset, nowhere) {
    const place = nowhere ? {line: 0, column: 0} : this.place(offset);
    return {kind, place, text: '', flags: 0, anchor: null, tag: null};
  }

  tagOf(node) {
    const before = /!\S*\s*(&\S+\s*)?$/.exec(this.text.slice(0, node.range[0]));
    return this.place(before ? before.index : node.range[0]);
  }

  scalar(node) {
    const plain = !node || !node.type || node.type === 'PLAIN';
    const empty = !node || (plain && !node.source);
    const text = empty ? '' : plain ? String(node.source) : String(node.value ?? '');
    const tag = node?.tag ? TAGGED : 0;
    if (node?.type?.startsWith('QUOTE')) this.quote = node.range[0];
    this.add(SCALAR, node, {text, nowhere: empty, flags: (plain ? 0 : QUOTED) | tag});
  }

  pair({key, value}) {
    this.node(key);
    this.node(value);
  }

  node(node) {
    if (isAlias(node)) {
      this.add(ALIAS, null, {offset: node.range[0] + 1, text: node.source});
    } else if (isMap(node)) {
      if (!this.add(MAP, node)) return;
      for (const pair of node.items) this.pair(pair);
      this.add(END, null);
    } else if (isSeq(node)) {
      if (!this.add(LIST, node)) return;
      // "[a: b]" holds a map of one pair
      for (const item of node.items) item?.key !== undefined && !item.range ? this.pairAlone(item) : this.node(item);
      this.add(END, null);
    } else {
      this.scalar(node);
    }
  }

  pairAlone(pair) {
    this.add(MAP, null, {offset: pair.key?.range?.[0]});
    this.pair(pair);
    this.add(END, null);
  }

  // The end of a text that does not end its last line is a line of its own, as the command counts.
  behind(offset) {
    const place = this.place(Math.min(offset, this.text.length));
    const open = offset >= this.text.length && !this.text.endsWith('\n');
    return open ? {line: place.line + 1, column: 1} : place;
  }

  mistake(error) {
    const {offset, message, brackets} = phrase(error, this.text, this.quote);
    this.events.push({
      kind: ERROR, place: this.behind(offset), text: message,
      flags: brackets ? BRACKETS : 0, anchor: null, tag: null
    });
  }
}

/** All events of a text; the last may be a mistake. */
export function collect(text) {
  const out = new Collector(text);
  try {
    const documents = parseAllDocuments(text, {
      schema: 'failsafe', uniqueKeys: false, strict: true, prettyErrors: false, keepSourceTokens: true, logLevel: 'silent'
    });
    for (const document of Array.isArray(documents) ? documents : []) {
      const error = document.errors[0];
      if (error) out.end = error.pos[0];
      const start = Math.min(document.range?.[0] ?? 0, text.length);
      out.events.push(out.event(DOCUMENT, start, !text.startsWith('---', start)));
      if (document.contents || !error) out.node(document.contents);
      if (error) {
        out.mistake(error);
        break;
      }
    }
  } catch (error) {
    out.mistake({pos: [0, 0], code: 'IMPOSSIBLE', message: error instanceof RangeError ? 'too deeply nested' : String(error)});
  }
  return out.events;
}

/** The same as the block of bytes that page_yaml.c takes. */
export function encode(events) {
  const utf8 = new TextEncoder();
  const padded = length => (length + 3) & ~3;
  const all = events.map(e => ({e, text: utf8.encode(e.text), anchor: e.anchor === null ? null : utf8.encode(e.anchor)}));
  const size = all.reduce((sum, {text, anchor}) => sum + 32 + padded(text.length) + padded(anchor?.length ?? 0), 4);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, events.length, true);
  let at = 4;
  for (const {e, text, anchor} of all) {
    const numbers = [e.kind, e.place.line, e.place.column, e.flags, text.length, anchor ? anchor.length : -1,
                     e.tag?.line ?? 0, e.tag?.column ?? 0];
    for (const number of numbers) {
      view.setInt32(at, number, true);
      at += 4;
    }
    bytes.set(text, at);
    at += padded(text.length);
    if (anchor) bytes.set(anchor, at);
    at += padded(anchor?.length ?? 0);
  }
  return bytes;
}
