// SPDX-License-Identifier: MIT
// A thread for the simulation and its picture.
import {Stage} from './stage.js';

let stage = null;
const waiting = [];

// A host may have the module for one thread alone.
function load({base, module}) {
  try {
    importScripts(`${base}${module}.js`);
  } catch (error) {
    if (module === 'ondine') throw error;
    importScripts(`${base}ondine.js`);
  }
}

async function start(message) {
  try {
    load(message);
  } catch (error) {
    postMessage({type: 'broken', memory: false, text: String(error.message)});
    return;
  }
  const made = new Stage(text => postMessage(text), self.OndineModule, message.base);
  await made.handle(message);
  stage = made;
  for (const early of waiting.splice(0)) stage.handle(early);
}

self.onmessage = ({data}) => {
  if (data.type === 'start') start(data);
  else if (stage) stage.handle(data);
  else waiting.push(data);
};
