// SPDX-License-Identifier: MIT
// The scenes that the page comes with: what each shows, and with which tool in hand.
import {parseDocument} from 'yaml';
import melt from '../../scenes/play/letters.yaml';
import smoke from '../../scenes/play/smoke-room.yaml';
import sand from '../../scenes/play/sand.yaml';
import muller from '../../scenes/2d/muller2d.yaml';
import water from '../scenes/water.yaml';

const ROOM = {width: 1.5, most: 0.38, margin: 0.09}; // m: of the letters' box, of capitals, beside them

// Without the line that tells editors where the schema is.
const plain = text => text.replace(/^# yaml-language-server.*\n/, '');

/** Width of a word whose capitals are 1 high, in the font that is traced. */
function widthOf(word) {
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = 'bold 100px "DejaVu Sans", Verdana, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
  return pen.measureText(word).width / (pen.measureText('H').actualBoundingBoxAscent || 72);
}

/** The letters' scene with another word, as large as fits, of about as many particles whatever its length. */
export function meltScene(word) {
  const document = parseDocument(plain(melt));
  const wide = Math.max(0.3, widthOf(word));
  const height = Math.min(ROOM.most, (ROOM.width - 2 * ROOM.margin) / wide);
  const depth = Math.max(0.09, 0.27 * height);
  const shape = document.getIn(['fluid', 0, 'shape']);
  const round = x => Number(x.toFixed(3));
  shape.set('text', word);
  shape.set('height', round(height));
  shape.set('depth', round(depth));
  document.setIn(['fluid', 0, 'shape', 'at'], document.createNode([round((ROOM.width - wide * height) / 2), 0, 0.3 - round(depth / 2)], {flow: true}));
  return document.toString({lineWidth: 0, flowCollectionPadding: false});
}

export const tabs = [
  {id: 'melt', label: 'Wax', tool: 'heat', word: 'WAX', look: {surface: true, look: 'wax', colour: 'temperature'},
   hint: 'Hold the torch on a letter', scene: () => meltScene('WAX')},
  {id: 'water', label: 'Water', tool: 'wall', look: {surface: true, look: 'water', colour: 'speed', low: 0, high: 3},
   hint: 'Draw walls into the water’s way', scene: () => water},
  {id: 'smoke', label: 'Smoke', tool: 'push', look: {surface: true, look: '', colour: 'density'},
   hint: 'Push the smoke about', scene: () => plain(smoke)},
  {id: 'sand', label: 'Sand', tool: 'pour', look: {surface: false, look: '', colour: 'plain'},
   hint: 'Pour sand', scene: () => plain(sand)},
  {id: 'liquid', label: '2D liquid', tool: 'push', look: {surface: true, look: '', colour: 'speed'},
   hint: 'Space, or Drop: another block', scene: () => plain(muller)}
];
