// SPDX-License-Identifier: MIT
// Files that are dropped: a scene, and the meshes that it names.
import {isMap, isScalar, parseDocument, visit} from 'yaml';

const MESH = /\.(obj|ply|stl)$/i;
const SCENE = /\.(ya?ml|json|txt)$/i;

/** Which of the meshes that a scene names are at hand, and which are not; by their last names. */
export function missingFiles(text, files) {
  const found = [], missing = [];
  let document;
  try {
    document = parseDocument(text, {logLevel: 'silent'});
  } catch {
    return {found, missing};
  }
  visit(document, {Map(_, map) {
    const path = isMap(map) && /^(mesh|particles)$/.test(map.get('type')) ? map.get('file', true) : null;
    if (!isScalar(path) || typeof path.value !== 'string') return;
    const name = path.value.split('/').at(-1);
    const bytes = files.get(name);
    if (bytes) found.push({path: path.value.replace(/^\/+/, ''), bytes});
    else missing.push(name);
  }});
  return {found, missing};
}

async function sort(list) {
  const out = {scene: null, meshes: new Map()};
  for (const file of list) {
    if (MESH.test(file.name)) out.meshes.set(file.name, new Uint8Array(await file.arrayBuffer()));
    else if (SCENE.test(file.name) || !out.scene) out.scene = {text: await file.text(), name: file.name};
  }
  return out;
}

export function dropFiles(page, veil, take) {
  let depth = 0;
  const show = shown => { veil.hidden = !shown; };
  page.addEventListener('dragenter', event => { event.preventDefault(); ++depth; show(true); });
  page.addEventListener('dragleave', () => { if (--depth <= 0) { depth = 0; show(false); } });
  page.addEventListener('dragover', event => event.preventDefault());
  page.addEventListener('drop', async event => {
    event.preventDefault();
    depth = 0;
    show(false);
    const files = [...event.dataTransfer?.files ?? []];
    if (files.length) take(await sort(files));
  });
}
