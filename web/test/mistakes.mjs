// SPDX-License-Identifier: MIT
// Scenes that are wrong, each in one way.
export const good = `title: A drop
duration: 2
domain: {min: [0, 0, 0], max: [1, 1, 1]}
fluid:
  - name: pool
    spacing: 0.02
    shape: {type: box, min: [0, 0, 0], max: [1, 0.2, 1]}
`;
const change = (from, to) => good.replace(from, to);

/** Told in the same words, at the same line and column, by the page and by the command. */
export const mistakes = [
  // values
  good + 'x: 1\n', change('0.02', '-0.02'), change('spacing', 'spacin'), change('box,', '"box", radius: 3,'),
  good + 'air: \n', good + 'air:\n  temperature: x\n', good + 'a: {b, c}\n', good + 'a: [b: 1, 2]\n', good + 'ä: 1\n',
  'fluid:\n- spacing: x\n  name: y\n', '{"fluid": [{"spacing": "x"}]}', '[1,2]\n', 'hello\n', '', '# nothing\n',
  'title: a #b\nduration: #c\n', 'title: [a, #b\n c]\nduration: x', 'title:   # none\n  - 1\n',
  change('name: pool', 'name: |\n      pool\n      x\n    density: x'), change('name: pool', 'name: >-\n      pool\n    density: "\\u0001x"'),
  good + "a: 'it''s'\n", 'title: {{x}}\n',
  // keys, anchors, merges, tags, documents
  good + 'title: b\n', good + 'a: {b: 1, b: 2}\n', good + '? [a]\n: b\n', good + '? a\n: b\n', change('pool', '*a'),
  change('A drop', '&a b\nx: *a'), good + '<<: 3\n', good + '<<: {gravity: x}\n', 'a: &x\nb: 1\n', good + 'gravity: &g [0, a]\n',
  good + 'gravity: !v [0, a]\n', change('pool', '!!str pool'), 'x: !t\n', good + '---\nb: 1\n', 'title: a\n...\nb: 1\n',
  '%YAML 1.2\n---\ntitle: [1]\n',
  // indentation
  good + ' title: b\n', good + '\ttitle: b\n', change('    spacing', '   spacing'), change('    spacing', '     spacing'),
  change(/  /, '\t'), 'a: 1\n b: 2\n', 'a:\n  - b\n c: 1\n', 'fluid:\n  - name: a\n    - b\n', 'fluid:\n  name: a\n  - b\n', good + '- x\n',
  // colons, quotes, signs
  change('spacing:', 'spacing'), change('pool', 'pool: x'), good + 'a: b: c\n', good + 'title: "b\n', good + "title: 'b\n",
  change('pool', '"pool'), good + 'a: "\n', good + 'title2: "a\\qb"\n', good + 'a: "x" y\n', good + '@x: 1\n', good + 'a: @x\n',
  good + 'a: %x\n', good + 'a: `x\n',
  // brackets
  change('[1, 1, 1]', '[1, 1'), change(']}', ']'), change('}\n', '\n'), good + '}\n', good + ']\n', good + 'a: {x: 1} y\n',
  good + 'a: [\n', '{"fluid": [{"spacing": "x"}]', '{"a": 1,, "b": 2}', '{"a" 1}', '[a, b}\n', '{a: b]\n', good + 'solid: {shape: {type: box}, {\n'
];

/** Brackets that nobody closes are told at the same place; where they should have been closed is guessed from how far
 * the parser came, and the two parsers do not come as far. */
export const unclosed = [change('pool', '[1, 2'), good + 'gravity: [0, -9.81, 0\nduration: 3\n'];
