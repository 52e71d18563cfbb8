// SPDX-License-Identifier: MIT
// What the page says when something is missing, and its keys.

const troubles = {
  wasm: {title: 'This browser is a little too old',
         text: 'Ondine needs WebAssembly with SIMD, which Chrome and Edge have since 2021 (91), Firefox since 2021 (89) and Safari since 2023 (16.4).'},
  webgl: {title: 'No picture: WebGL 2 is not to be had',
          text: 'The simulation runs, but this browser has no WebGL 2 to draw it with. Often graphics acceleration is switched off in its settings.', button: 'Go on without a picture'},
  memory: {title: 'The browser gave no more memory',
           text: 'Nothing of your scene is lost. Close other tabs, or give it larger particles, and start again.', button: 'Start again'},
  broken: {title: 'The simulation stopped',
           text: 'Something went wrong inside. Your scene is still here, and can be started again.', button: 'Start again'}
};

export const explain = what => troubles[what] ?? troubles.broken;

const rows = [
  ['<kbd>Space</kbd>', 'drop another block'], ['<kbd>R</kbd>', 'start again'], ['<kbd>P</kbd>', 'pause, and go on'], ['<kbd>S</kbd>', 'one step'],
  ['<kbd>1</kbd> … <kbd>8</kbd>', 'choose a tool'], ['<kbd>E</kbd>', 'the scene as text'], ['<kbd>F</kbd>', 'see everything'],
  ['<kbd>U</kbd>', 'take the last wall away'], ['<kbd>D</kbd>', 'the dials, where there is no room for them'], ['<kbd>H</kbd>', 'this'],
  ['left button, one finger', 'the tool'], ['right button, two fingers', 'turn round (3D), move about (2D)'], ['<kbd>⇧</kbd> right button', 'move about'],
  ['wheel, two fingers apart', 'nearer, farther']
];

export const helpTable = `<div role="dialog" aria-label="Keys"><h2>Keys and hands</h2><table>${rows.map(([a, b]) => `<tr><td>${a}</td><td>${b}</td></tr>`).join('')}</table>
<p style="color:var(--quiet);margin:14px 0 16px">Drop a scene file on the page to play it. Everything runs on your machine; nothing is sent anywhere.</p><button class="primary">Play</button></div>`;
