// SPDX-License-Identifier: MIT
// The module, and what its C code asks of JavaScript.
import {collect, encode} from './yaml.js';

/** Makes the module of a factory (OndineModule). `extra` goes to Emscripten; `letters` traces text. */
export async function makeModule(factory, {letters, ...extra} = {}) {
  const module = await factory({
    ...extra,
    ondine: {
      yaml: bytes => give(module, encode(collect(new TextDecoder().decode(bytes)))),
      letters: (text, font) => {
        const block = letters ? letters(text, font) : null;
        return block ? give(module, block) : 0;
      }
    }
  });
  return module;
}

/** Bytes in the module's memory, which C frees; 0 where there is no memory. */
export function give(module, bytes) {
  const at = module._malloc(bytes.length);
  if (at) new Uint8Array(module.HEAPU8.buffer).set(bytes, at);
  return at;
}

/** Calls `use` with the address of a text that ends in 0. */
export function withText(module, text, use) {
  const bytes = new TextEncoder().encode(text + '\0');
  const at = give(module, bytes);
  if (!at) throw new RangeError('no memory for a text');
  try {
    return use(at);
  } finally {
    module._free(at);
  }
}

/** The text at an address. */
export const textAt = (module, at) => at ? module.UTF8ToString(at) : '';
