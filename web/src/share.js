// SPDX-License-Identifier: MIT
// A scene with its dials in an address: compressed, behind the #, so that it never leaves the browser.

const KIND = 's=';
const LONGEST = 1 << 20; // characters of a scene: a guard against links made to hurt

async function through(stream, bytes) {
  const response = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await response.arrayBuffer());
}

const base64 = bytes => btoa(Array.from(bytes, b => String.fromCharCode(b)).join(''))
  .replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const bytesOf = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));

export async function toFragment(what) {
  const packed = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(what)));
  return KIND + base64(packed);
}

/** What a fragment holds; null when it holds nothing, an Error when it is damaged. */
export async function fromFragment(fragment) {
  const text = fragment.replace(/^#/, '');
  if (!text.startsWith(KIND)) return null;
  try {
    const bytes = await through(new DecompressionStream('deflate-raw'), bytesOf(text.slice(KIND.length)));
    if (bytes.length > LONGEST) throw new Error('too long');
    const what = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof what.text !== 'string') throw new Error('no scene');
    return what;
  } catch {
    return new Error('This link is damaged: it holds no scene. Perhaps its end was cut off.');
  }
}
