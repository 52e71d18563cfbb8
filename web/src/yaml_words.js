// SPDX-License-Identifier: MIT
// Mistakes of syntax in the words and at the places of the command's parser (libfyaml), as far as the two see the same.

const character = (text, at) => text.charAt(at);
const pastBlanks = (text, at) => at + /^[ \t]*/.exec(text.slice(at))[0].length;
const restOfLine = (text, at) => /^[^\n]*/.exec(text.slice(at))[0];

// A mapping inside a line is one thing, a plain text that goes on in the next another.
function nested(text, at) {
  const colon = restOfLine(text, at).search(/:(\s|$)/);
  return colon > 0 ? {message: 'invalid nested block mapping on the same line', offset: at + colon}
                   : {message: 'invalid multiline plain key', offset: at};
}

function flowEnd(text, at, word) {
  if (character(text, at) === '}') return {message: 'mismatched flow mapping end', offset: at};
  if (character(text, at) === ']') return {message: 'mismatched flow sequence end', offset: at};
  return {message: word, offset: at, brackets: true};
}

function trailing(text, at) {
  const before = text.slice(0, at).trimEnd().slice(-1);
  const after = {'"': 'invalid trailing content after double-quoted scalar', "'": 'invalid trailing content after single-quoted scalar',
                 '}': 'invalid value after mapping', ']': 'invalid value after sequence'}[before];
  return {message: after ?? 'invalid trailing content', offset: at};
}

function unquoted(text, at, quote) {
  const kind = character(text, quote) === "'" ? 'single' : 'double';
  const more = text.slice(quote).split('\n').slice(1).some(line => line.trim() !== '');
  return more ? {message: `wrongly indented ${kind}-quoted scalar`, offset: quote}
              : {message: `${kind}-quoted scalar without closing quote`, offset: quote + 1};
}

// What the package says, and what the command says instead. `quote`: where the last quoted text began.
const words = [
  [/^Tabs are not allowed/, (text, at) => ({message: 'tab character may not be used as indentation', offset: at})],
  [/^Plain value cannot start/,
   (text, at) => ({message: `plain scalar cannot start with '${character(text, at)}'`, offset: at})],
  [/^Invalid escape sequence/,
   (text, at) => ({message: `invalid escape '${character(text, at + 1)}' in double-quoted string`, offset: at})],
  [/^All mapping items must/, (text, at) => ({message: 'invalid indentation in mapping', offset: pastBlanks(text, at)})],
  [/^Nested mappings are not/, nested],
  [/^Implicit keys need/, (text, at) => ({message: "could not find expected ':'", offset: at})],
  [/^Unexpected flow-map-end/, (text, at) => ({message: 'flow mapping with invalid extra closing brace', offset: at})],
  [/^Unexpected flow-seq-end/, (text, at) => ({message: 'flow sequence with invalid extra closing bracket', offset: at})],
  [/^Sequence item without/, (text, at) => ({message: "did not find expected '-' indicator", offset: pastBlanks(text, at)})],
  [/block sequence may not be used as/, (text, at) => ({message: 'did not find expected key', offset: pastBlanks(text, at)})],
  [/^Missing , or : between flow map/, (text, at) => ({message: 'missing comma in flow mapping', offset: at})],
  [/^Missing , between flow seq/, (text, at) => ({message: 'missing comma in flow sequence', offset: at})],
  [/^Unexpected , in flow/, (text, at) => ({message: 'did not find expected node content', offset: at})],
  [/^Missing closing .quote/, unquoted],
  [/at node end/, trailing],
  [/flow (map|sequence)/i, (text, at) => flowEnd(text, at, 'flow collection is not closed')]
];

/** Where a mistake of the package `yaml` is shown, what it is called, and whether it is about brackets. */
export function phrase(error, text, quote) {
  const said = error.message.split('\n')[0];
  const at = error.pos[0];
  for (const [pattern, own] of words) {
    if (!pattern.test(said) || (own === unquoted && quote === undefined)) continue;
    return {brackets: false, ...own(text, at, quote)};
  }
  return {offset: at, message: said.charAt(0).toLowerCase() + said.slice(1), brackets: false};
}
