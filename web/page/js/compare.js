// The dialog that derives an answer for the shown scene and, beside it, for a supposed one. Lines that differ are marked.
import { byId, make } from './dom.js';
import { differences } from './differences.js';
import { elements } from './blocks.js';

// compare opens the dialog. head is the question; compared holds the blocks of both derivations.
export function compare(head, { shown, supposed }) {
  byId('compare-head').textContent = head;
  byId('compare-lines').replaceChildren(...rows(linesOf(shown), linesOf(supposed)).map(row));
  byId('compare-dialog').showModal();
}

// linesOf returns the lines of a derivation: headings, paragraphs, equations and items of lists.
const linesOf = (blocks) => elements(blocks, 3).flatMap((element) => (element.matches('.equations, .steps') ? [...element.children] : [element]));

// rows pairs the lines of two derivations. A row is [line] if both have it, and [a, b] if they differ; either may be missing.
function rows(a, b) {
  const texts = (lines) => lines.map(({ textContent }) => textContent);
  const differs = differences(texts(a), texts(b)), out = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && !differs.a[i] && !differs.b[j]) {
      out.push([a[i++]]);
      j++;
      continue;
    }
    const mine = [], theirs = [];
    while (i < a.length && differs.a[i]) mine.push(a[i++]);
    while (j < b.length && differs.b[j]) theirs.push(b[j++]);
    out.push(...pairs(mine, theirs));
  }
  return out;
}

// pairs pairs the lines that define the same symbol, in order.
function pairs(mine, theirs) {
  const out = [];
  let at = 0;
  for (const line of mine) {
    const symbol = symbolOf(line), found = symbol ? theirs.findIndex((other, i) => i >= at && symbolOf(other) === symbol) : -1;
    while (at < found) out.push([null, theirs[at++]]);
    out.push([line, found < 0 ? null : theirs[at++]]);
  }
  return [...out, ...theirs.slice(at).map((line) => [null, line])];
}

// symbolOf returns the symbol that a line defines; undefined for other lines.
const symbolOf = (line) => line.dataset.defines ?? (line.matches('.given') ? line.querySelector('var').dataset.symbol : undefined);

function row(pair) {
  if (pair.length === 1) return make('div', { className: 'same' }, ...pair.map(framed));
  const [a, b] = pair.map((line, i) => make('div', { className: line ? 'differs' : 'differs none', 'aria-label': ['as shown', 'as supposed'][i], role: 'group' }, line && framed(line)));
  return make('div', { className: 'pair' }, a, b);
}

// framed puts a line into a parent of the kind from which it was taken.
function framed(line) {
  if (line.tagName === 'LI') return make('ul', { className: 'steps' }, line);
  return /^H\d$/.test(line.tagName) ? line : make('div', { className: 'equations' }, line);
}
