// SPDX-License-Identifier: MIT
// Mouse and fingers: the left button or one finger is the tool, the right one or two fingers are the eye.
const TURN = 4;       // radians for a drag across the picture's height
const WHEEL = 0.0015; // of zoom for each pixel that a wheel scrolls

export function hands(canvas, {engine, tool, flat, drew, touched}) {
  const fingers = new Map();
  let mode = null; // 'tool', 'wall', 'eye', 'pinch'
  let stroke = [], before = null;
  const line = document.querySelector('#stroke polyline');
  const send = message => engine().send(message);

  const place = event => {
    const box = canvas.getBoundingClientRect();
    return [2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height];
  };
  const pointer = (what, event) => { const [x, y] = place(event); send({type: 'pointer', what, x, y}); };

  function showStroke() {
    const box = canvas.getBoundingClientRect();
    line.setAttribute('points', stroke.map(([x, y]) => `${(x + 1) / 2 * box.width},${(1 - y) / 2 * box.height}`).join(' '));
  }

  function begin(event) {
    touched();
    const eye = event.button === 2 || event.button === 1;
    mode = eye ? 'eye' : tool() === 'wall' ? 'wall' : 'tool';
    before = event;
    if (mode === 'tool') pointer('down', event);
    if (mode === 'wall') { stroke = [place(event)]; showStroke(); }
  }

  function end(event) {
    if (mode === 'tool') pointer('up', event);
    if (mode === 'wall' && stroke.length) drew(stroke);
    cancelStroke();
    mode = null;
  }

  function cancelStroke() {
    stroke = [];
    line.setAttribute('points', '');
  }

  function look(event, pan) {
    const height = canvas.getBoundingClientRect().height || 1;
    const dx = (event.clientX - before.clientX) / height, dy = (event.clientY - before.clientY) / height;
    if (pan || flat()) send({type: 'pan', right: -dx, up: dy});
    else send({type: 'turn', yaw: -TURN * dx, pitch: TURN * dy});
    before = event;
  }

  // Two fingers: apart is nearer, together is round about.
  const pair = () => {
    const [a, b] = [...fingers.values()];
    return {clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2, apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)};
  };

  function pinch() {
    const now = pair();
    if (before.apart > 0 && now.apart > 0) send({type: 'zoom', factor: before.apart / now.apart});
    look(now, false);
    before = now;
  }

  canvas.addEventListener('pointerdown', event => {
    event.preventDefault();
    document.activeElement?.blur?.();
    try { canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone already */ }
    fingers.set(event.pointerId, event);
    if (fingers.size === 2 && event.pointerType === 'touch') {
      if (mode === 'tool') pointer('up', before);
      cancelStroke();
      mode = 'pinch';
      before = pair();
    } else if (fingers.size === 1) {
      begin(event);
    }
  });
  canvas.addEventListener('pointermove', event => {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
    if (mode === 'pinch') {
      if (fingers.size === 2) pinch();
    } else if (mode === 'eye') {
      look(event, event.shiftKey || event.buttons & 4);
    } else if (mode === 'wall') {
      stroke.push(place(event));
      showStroke();
    } else {
      before = event;
      pointer(mode === 'tool' ? 'move' : 'hover', event);
    }
  });
  const up = event => {
    fingers.delete(event.pointerId);
    if (mode === 'pinch') { if (fingers.size === 0) mode = null; } else if (mode) end(event);
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    send({type: 'zoom', factor: Math.exp(WHEEL * Math.max(-300, Math.min(300, event.deltaY)))});
  }, {passive: false});
}
