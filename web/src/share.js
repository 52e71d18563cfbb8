// SPDX-License-Identifier: MIT
// A scene with its dials in an address: compressed, behind the #, so that it never leaves the browser.

const KIND = 's=';
const LONGEST = 1 << 20;      // bytes of a scene with its dials: a guard against links made to hurt
const LONGEST_LINK = 1 << 18; // characters of a fragment: browsers take it, and keep it in their history

async function through(stream, bytes, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let sum = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    sum += part.value.length;
    if (sum <= most) continue;
    reader.cancel().catch(() => {}); // what is left is never made
    throw new Error('too long');
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const base64 = bytes => btoa(Array.from(bytes, b => String.fromCharCode(b)).join(''))
  .replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const bytesOf = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));

/** The fragment that holds a scene; an Error when no link can. */
export async function toFragment(what) {
  const tooLong = new Error('This scene is too long for a link. Save it, and send the file.');
  const bytes = new TextEncoder().encode(JSON.stringify(what));
  if (bytes.length > LONGEST) return tooLong;
  const fragment = KIND + base64(await through(new CompressionStream('deflate-raw'), bytes));
  return fragment.length > LONGEST_LINK ? tooLong : fragment;
}

/** What a fragment holds; null when it holds nothing, an Error when it is damaged. */
export async function fromFragment(fragment) {
  const text = fragment.replace(/^#/, '');
  if (!text.startsWith(KIND)) return null;
  if (text.length > LONGEST_LINK) return new Error('This link is too long to hold a scene.');
  try {
    const bytes = await through(new DecompressionStream('deflate-raw'), bytesOf(text.slice(KIND.length)), LONGEST);
    const what = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof what.text !== 'string') throw new Error('no scene');
    return what;
  } catch {
    return new Error('This link is damaged: it holds no scene. Perhaps its end was cut off.');
  }
}
