// SPDX-License-Identifier: MIT
// The scene as text beside the picture: played as it is typed, mistakes at their lines.
const WAIT = 450; // ms after the last key before a scene is tried

export function makeEditor({panel, area, gutter, mistake, name, label, onEdit, onToggle}) {
  let timer, wrong = 0;

  function number() {
    const lines = area.value.split('\n').length;
    gutter.innerHTML = Array.from({length: lines}, (_, k) => k + 1 === wrong ? `<b>${k + 1}</b>` : k + 1).join('\n');
    gutter.scrollTop = area.scrollTop;
  }

  function tell(error) {
    const place = /^[^\n:]*:(\d+):(\d+): /.exec(error ?? '');
    wrong = place ? Number(place[1]) : 0;
    mistake.hidden = !error;
    mistake.textContent = error ?? '';
    label.textContent = error ? 'has a mistake; the last good scene goes on' : 'plays';
    label.classList.toggle('bad', !!error);
    number();
  }

  function go() {
    const lines = area.value.split('\n');
    const start = lines.slice(0, wrong - 1).reduce((sum, line) => sum + line.length + 1, 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[wrong - 1]?.length ?? 0));
    area.scrollTop = Math.max(0, 20 * (wrong - 6));
  }

  area.addEventListener('input', () => {
    number();
    clearTimeout(timer);
    timer = setTimeout(() => onEdit(area.value), WAIT);
  });
  area.addEventListener('scroll', () => { gutter.scrollTop = area.scrollTop; });
  area.addEventListener('keydown', event => {
    if (event.key !== 'Tab' || event.shiftKey) return;
    event.preventDefault();
    area.setRangeText('  ', area.selectionStart, area.selectionEnd, 'end');
    area.dispatchEvent(new Event('input'));
  });
  mistake.addEventListener('click', () => wrong && go());
  panel.querySelector('[data-close]').onclick = () => open(false);

  function open(shown = panel.hidden) {
    panel.hidden = !shown;
    onToggle(shown);
    number();
  }

  return {
    open, tell,
    text: () => area.value,
    show(text, title) {
      clearTimeout(timer);
      if (area.value !== text) area.value = text;
      name.textContent = title;
      tell('');
    }
  };
}
