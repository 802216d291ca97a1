// The page of a lesson: blocks of text, as package prose writes them in JSON.
import { make } from './dom.js';
import { symbol } from './blocks.js';

const LEVELS = ['h2', 'h3', 'h4'];

// prose returns DOM elements for the blocks of a lesson. example(n) returns the element for an example. link(address)
// returns the address in the page for a link of the lesson, or null.
export function prose(blocks, parts) {
  return blocks.map((block) => {
    switch (block.type) {
      case 'heading': return make(LEVELS[Math.min(block.level, 3) - 1], {}, ...spans(block.spans, parts));
      case 'paragraph': return make('p', {}, ...spans(block.spans, parts));
      case 'list': return make(block.ordered ? 'ol' : 'ul', {}, ...block.items.map((item) => make('li', {}, ...spans(item, parts))));
      case 'table': return table(block.rows, parts);
      case 'details': return make('details', {}, make('summary', {}, ...spans(block.spans, parts)), ...prose(block.blocks ?? [], parts));
      case 'example': return parts.example(block.example);
      default: return make('pre', { tabIndex: 0 }, ...formula(block.text));
    }
  });
}

function table([heads, ...rows], parts) {
  const row = (cells, tag) => make('tr', {}, ...cells.map((cell) => make(tag, {}, ...spans(cell, parts))));
  return make('table', {}, make('thead', {}, row(heads, 'th')), make('tbody', {}, ...rows.map((cells) => row(cells, 'td'))));
}

function spans(list, { link }) {
  return list.map(({ text, code, strong, emphasis, link: address }) => {
    if (code) return make('code', { tabIndex: text.includes(' = ') ? 0 : undefined }, ...formula(text)); // a formula can be focused
    if (strong) return make('strong', {}, text);
    if (emphasis) return make('em', {}, text);
    const href = address && link(address);
    return href ? make('a', { href }, text) : text;
  });
}

const SYMBOL = /([A-Za-z][A-Za-z0-9_]*'?)/;
const WORDS = 4; // letters; a longer name without an underscore is a word, not a symbol

// formula returns code with its symbols as elements. They are emphasized together with the symbols of derivations.
function formula(text) {
  return text.split(SYMBOL).map((piece, i) => {
    if (i % 2 === 0 || (piece.length > WORDS && !piece.includes('_'))) return piece;
    const element = symbol(piece);
    element.textContent = piece;
    return element;
  });
}
