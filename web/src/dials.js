// SPDX-License-Identifier: MIT
// The panel: what the simulation lets one turn, and how it is shown.

const STEPS = 200;
const COLOURS = ['speed', 'temperature', 'rigidity', 'density', 'pressure', 'plain'];

const toSlider = (dial, value) => {
  const {least, most, logarithmic} = dial;
  if (most <= least) return 0;
  const low = least > 0 ? least : most / 1e4;
  const share = logarithmic ? (value <= low ? 0 : Math.log(value / low) / Math.log(most / low)) : (value - least) / (most - least);
  return Math.round(STEPS * Math.min(1, Math.max(0, share)));
};
const fromSlider = (dial, step) => {
  const {least, most, logarithmic} = dial;
  const low = least > 0 ? least : most / 1e4;
  if (step <= 0) return least;
  return logarithmic ? low * (most / low) ** (step / STEPS) : least + (most - least) * step / STEPS;
};
const words = (dial, value) => {
  const digits = Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(2)).toString();
  return dial.unit ? `${digits} ${dial.unit}` : digits;
};

function dialRow(dial, onTurn) {
  const row = document.createElement('label');
  row.className = dial.works ? 'dial' : 'dial off';
  row.title = dial.works ? '' : dial.why;
  const name = Object.assign(document.createElement('span'), {textContent: dial.label});
  const value = Object.assign(document.createElement('output'), {textContent: dial.works ? words(dial, dial.value) : '–'});
  const slider = Object.assign(document.createElement('input'), {type: 'range', min: 0, max: STEPS, value: toSlider(dial, dial.value), disabled: !dial.works});
  slider.dataset.dial = dial.name;
  const fill = () => slider.style.setProperty('--at', `${100 * slider.value / STEPS}%`);
  const turn = () => onTurn(dial.name, fromSlider(dial, Number(slider.value)));
  slider.oninput = () => {
    fill();
    value.textContent = words(dial, fromSlider(dial, Number(slider.value)));
    if (!dial.restarts) turn();
  };
  slider.onchange = () => { if (dial.restarts) turn(); };
  fill();
  row.append(name, value, slider);
  return row;
}

function choice(options, chosen, onChoose) {
  const row = document.createElement('div');
  row.className = 'choice';
  row.append(...options.map(([value, label]) => {
    const button = Object.assign(document.createElement('button'), {textContent: label, onclick: () => {
      for (const other of row.children) other.setAttribute('aria-pressed', other === button);
      onChoose(value);
    }});
    button.setAttribute('aria-pressed', value === chosen);
    return button;
  }));
  return row;
}

/** Fills the panel anew, unless somebody is turning a dial of it. */
export function showDials(panel, {dials, look, onTurn, onLook, onFit}) {
  if (panel.contains(document.activeElement) && document.activeElement.matches(':active')) return;
  const title = text => Object.assign(document.createElement('h2'), {textContent: text});
  const tools = new Set(['temperature', 'cold', 'size', 'strength']);
  const works = dials.filter(dial => dial.works);
  const colour = document.createElement('label');
  colour.className = 'row';
  const select = document.createElement('select');
  select.append(...COLOURS.map(name => Object.assign(document.createElement('option'), {value: name, textContent: name, selected: name === look.colour})));
  select.onchange = () => onLook({colour: select.value, low: 0, high: 0, look: look.look});
  colour.append('Colour by', select);
  const whole = Object.assign(document.createElement('button'), {className: 'wide', textContent: 'See everything', title: 'F', onclick: onFit});
  panel.replaceChildren(
    title('Picture'), choice([[true, 'Surface'], [false, 'Particles']], !!look.surface, surface => onLook({surface})), colour, whole,
    title('Scene'), ...works.filter(dial => !tools.has(dial.name)).map(dial => dialRow(dial, onTurn)),
    title('Tool'), ...works.filter(dial => tools.has(dial.name)).map(dial => dialRow(dial, onTurn)));
}
