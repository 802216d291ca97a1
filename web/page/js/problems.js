// The line below the text: what is wrong with the scene, each with a way there and, where the
// engine knows one, a remedy; or else help for the key at the cursor.
import { byId, make } from './dom.js';
import { describe } from './assist.js';

const MOST = 50; // a page of errors helps nobody

const count = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;

export function showProblems(editor, text, problems, more) {
  const box = byId('problems');
  const errors = problems.filter((p) => p.severity === 'error').length;
  const rest = problems.length - errors;
  const parts = [errors && count(errors, 'error'), rest && count(rest, 'note'), more && `${more} more`].filter(Boolean);
  byId('verdict').textContent = parts.join(', ') || 'No problems';
  byId('verdict').dataset.kind = errors ? 'error' : '';
  box.replaceChildren(...problems.slice(0, MOST).map((problem) => item(editor, text, problem)));
  box.hidden = problems.length === 0;
}

function item(editor, text, problem) {
  const place = problem.file ? problem.file : `Line ${problem.line}`;
  const go = make('button', { type: 'button', className: 'problem', onclick: () => editor.go(problem.from) },
    make('span', { className: 'place' }, place), make('span', {}, problem.text || problem.message));
  const fix = problem.fix && make('button', { type: 'button', className: 'fix', onclick: () => editor.fix(text, problem) }, problem.fix.label);
  return make('li', { className: problem.severity }, go, fix);
}

// showHelp says what the key at the cursor means.
export function showHelp(help) {
  const line = byId('help-line');
  line.replaceChildren(...(help?.key ? describe(help) : ['Put the cursor on a key to see what it means.']));
}
