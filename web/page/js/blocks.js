// Explanations are documents of blocks, as package explain writes them in JSON: headings, paragraphs,
// lists and equations.
import { make } from './dom.js';

const LEVELS = ['h3', 'h4', 'h5', 'h6'];

// elements returns DOM elements for blocks of an explanation. The topmost heading has the given level,
// 3 to 6.
export function elements(blocks, level) {
  const top = Math.min(...blocks.filter(({ type }) => type === 'heading').map((block) => block.level));
  const tag = (block) => LEVELS[Math.min(level + block.level - top, 6) - 3];
  return blocks.map((block) => {
    switch (block.type) {
      case 'heading': return make(tag(block), {}, block.text);
      case 'paragraph': return make('p', {}, block.text);
      case 'list': return make('ul', { className: 'steps' }, ...block.items.map(item));
      default: return make('div', { className: 'equations' }, ...lines(block.steps));
    }
  });
}

function item({ depth, text, verdict }) {
  const line = make('li', { className: verdict ?? '' }, text);
  line.style.setProperty('--depth', depth);
  return line;
}

// lines returns the lines of a derivation. Consecutive given values share a line.
function lines(steps) {
  const found = [];
  let given = [];
  const close = () => {
    if (given.length > 0) found.push(make('p', { className: 'given' }, ...given.flatMap((text, i) => (i > 0 ? [', ', text] : [text]))));
    given = [];
  };
  for (const step of steps) {
    if (step.symbol && !step.formula) {
      given.push(make('span', {}, step.note ? `${step.note} ` : '', symbol(step), ` = ${step.result}`));
      continue;
    }
    close();
    found.push(step.formula ? equation(step) : make('p', { className: step.verdict ?? '' }, step.note));
  }
  close();
  return found;
}

const symbol = ({ symbol: name }) => make('b', {}, name);

// equation returns a line with the formula, the formula with numbers, and the result, without repeating
// equal parts. A line may break between these parts.
function equation({ symbol: name, formula, numbers, result, note, verdict }) {
  const forms = [formula, numbers, result].filter((form, i, all) => form && form !== all[i - 1]);
  const between = name ? ' = ' : ': ';
  const parts = forms.flatMap((form, i) => [i > 0 || name ? between : '', make('span', {}, form)]);
  return make('p', { className: 'equation' }, ...(name ? [symbol({ symbol: name })] : []), ...parts,
    ...(note ? [' ', make('span', { className: `note ${verdict ?? ''}` }, note)] : []));
}
