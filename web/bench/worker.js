// SPDX-License-Identifier: MIT
// A thread of the page in which scenes run without being drawn: answers how long their steps took.
import {makeModule, textAt, withText} from '../src/library.js';

const START = 500; // ms for threads: they start when this one waits for messages

async function run(module, page, {text, name, until}) {
  const good = value => {
    if (!value) throw new Error(textAt(module, module._ond_page_sim_error(page)));
  };
  good(withText(module, text, t => withText(module, name, n => module._ond_page_sim_scene(page, t, n))));
  good(module._ond_page_sim_start(page));
  good(module._ond_page_sim_step(page, 1)); // asks for threads
  await new Promise(done => setTimeout(done, START));
  const began = performance.now();
  let steps = 0;
  for (; module._ond_page_sim_time(page) < until; ++steps) good(module._ond_page_sim_step(page, 1));
  return {steps, ms: performance.now() - began};
}

self.onmessage = async ({data}) => {
  try {
    const {base} = data, name = data.threads ? 'ondine-threads' : 'ondine';
    importScripts(`${base}${name}.js`);
    const module = await makeModule(self.OndineModule, {locateFile: file => base + file, mainScriptUrlOrBlob: `${base}${name}.js`});
    const page = module._ond_page_sim_create();
    let taken = null;
    for (let k = 0; k < data.repeats; ++k) {
      const again = await run(module, page, data); // the browser compiles what is hot once more, while it runs
      if (!taken || again.ms < taken.ms) taken = again;
    }
    module._ond_page_sim_destroy(page);
    postMessage(taken);
  } catch (error) {
    postMessage({error: String(error.message)});
  }
};
