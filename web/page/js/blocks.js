// Explanations are documents of blocks, as package explain writes them in JSON: headings, answers, shares, paragraphs,
// lists and equations.
import { make } from './dom.js';
import { value } from './numbers.js';

const LEVELS = ['h3', 'h4', 'h5', 'h6'];

// elements returns DOM elements for blocks of an explanation. The topmost heading has the given level, 3 to 6. values
// maps symbols to their values; definitions in the blocks are added to it. Elements below a heading about a ray have
// its name as data-ray.
export function elements(blocks, level, values = new Map()) {
  const top = Math.min(...blocks.filter(({ type }) => type === 'heading').map((block) => block.level));
  const tag = (block) => LEVELS[Math.min(level + block.level - top, 6) - 3];
  let ray = '';
  return blocks.map((block) => {
    if (block.type === 'heading') ray = block.ray ?? '';
    const element = elementOf(block, tag, values);
    if (ray) element.dataset.ray = ray;
    return element;
  });
}

function elementOf(block, tag, values) {
  switch (block.type) {
    case 'heading': return make(tag(block), {}, block.text);
    case 'answer': return make('p', { className: 'answer' }, block.text);
    case 'paragraph': return make('p', {}, block.text);
    case 'list': return make('ul', { className: 'steps' }, ...block.items.map(item));
    default: return make('div', { className: 'equations' }, ...block.steps.map((step) => line(step, values)));
  }
}

function item({ depth, text, verdict }) {
  const line = make('li', { className: verdict ?? '' }, text);
  line.style.setProperty('--depth', depth);
  return line;
}

// line returns a step of a derivation, and adds the symbol that it defines to values.
function line(step, values) {
  const { symbol: name, value: full, note, verdict } = step;
  const element = step.terms ? equation(step, values)
    : name ? make('p', { className: 'given' }, symbol(name), ' = ', quantity(step), noted(note))
      : make('p', { className: verdict ?? '' }, note);
  if (name) values.set(name, full);
  return element;
}

// quantity returns the value of a step, with the key of the scene that holds it.
function quantity({ value: full, key }) {
  const element = value(full);
  if (key) element.dataset.key = key;
  return element;
}

const noted = (note, verdict = '') => (note ? make('span', { className: `note ${verdict}` }, note) : '');

// equation returns a step with the formula, the formula with numbers, and the result. Every form has a line.
function equation({ symbol: name, terms, value: full, result, note, verdict }, values) {
  const lead = name ? '= ' : '';
  const forms = [terms.map((term) => (term.symbol ? symbol(term.symbol, term.text.slice(term.symbol.length)) : minus(term.text)))];
  if (terms.some((term) => term.symbol) && (terms.length > 1 || !name)) forms.push(terms.map((term) => (term.symbol ? substituted(term, values) : minus(term.text))));
  if (name && terms.some((term) => term.symbol)) forms.push([value(full)]);
  else if (!name && terms.length > 3) forms.push([minus(result)]);
  const element = make('div', { className: `equation ${verdict ?? ''}`, tabIndex: name ? 0 : undefined, role: 'group', 'aria-label': name ? `${name} =` : undefined },
    make('span', { className: 'left' }, name ? symbol(name) : ''),
    make('span', { className: 'forms' }, ...forms.map((form) => make('span', { className: 'form' }, lead, ...form)), noted(note, verdict)));
  if (name) element.dataset.defines = name;
  return element;
}

const minus = (text) => text.replaceAll('-', '\u2212');

// substituted returns the value of a term's symbol.
function substituted({ symbol: name, part, sign }, values) {
  const full = values.get(name) ?? '?';
  return value(part ? full[part - 1] : full, sign);
}

// symbol returns a symbol as in print: t_near has a subscript. rest follows it, such as .x.
export function symbol(name, rest = '') {
  const [base, ...below] = name.split('_');
  const element = make('var', {}, base, ...(below.length ? [make('sub', {}, below.join(' '))] : []), rest);
  element.dataset.symbol = name;
  return element;
}
