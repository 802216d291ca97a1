// Below the text: the problems of the scene, and help for the key at the cursor. Each problem has a link to its
// position and, if possible, a fix.
import { byId, make } from './dom.js';
import { counted } from './units.js';
import { describe } from './assist.js';

const MOST = 50; // problems that are listed

export function showProblems(editor, text, problems, more) {
  const box = byId('problems');
  const errors = problems.filter((p) => p.severity === 'error').length;
  const rest = problems.length - errors;
  const parts = [errors && counted(errors, 'error'), rest && counted(rest, 'note'), more && `${more} more`].filter(Boolean);
  byId('verdict').textContent = parts.join(', ') || 'No problems';
  byId('verdict').dataset.kind = errors ? 'error' : '';
  box.replaceChildren(...problems.slice(0, MOST).map((problem) => item(editor, text, problem)));
  box.hidden = problems.length === 0;
}

// clearProblems removes the problems of another text, or of a text that was not checked.
export function clearProblems(verdict = '') {
  byId('verdict').textContent = verdict;
  byId('verdict').dataset.kind = '';
  byId('problems').replaceChildren();
  byId('problems').hidden = true;
}

function item(editor, text, problem) {
  const place = problem.file ? problem.file : `Line ${problem.line}`;
  const go = make('button', { type: 'button', className: 'problem', onclick: () => editor.go(problem.from) },
    make('span', { className: 'place' }, place), make('span', {}, problem.text || problem.message));
  const fix = problem.fix && make('button', { type: 'button', className: 'fix', onclick: () => editor.fix(text, problem) }, problem.fix.label);
  return make('li', { className: problem.severity }, go, fix);
}

// showHelp describes the key at the cursor.
export function showHelp(help) {
  const line = byId('help-line');
  line.replaceChildren(...(help?.key ? describe(help) : ['Put the cursor on a key to see what it means.']));
}
