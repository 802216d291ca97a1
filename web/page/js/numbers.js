// Numbers of derivations: the engine sends them in full, the page shows four digits and, on demand, all.
import { make } from './dom.js';

const DIGITS = 4;

let all = false; // whether all digits are shown

// brief returns a number with few digits. text is the number in full.
export function brief(text) {
  const number = Number(text);
  if (!Number.isFinite(number) || /^-?\d{1,15}$/.test(text)) return typographic(text); // whole numbers are exact
  return typographic(String(Number(number.toPrecision(DIGITS))));
}

// typographic writes signs and infinity as in print.
const typographic = (text) => text.replace('-', '\u2212').replace(/^\+?Inf$/, '\u221e').replace('\u2212Inf', '\u2212\u221e');

const shown = (text) => (all ? typographic(text) : brief(text));

// number returns an element for a number. Its tooltip has all digits.
export function number(text) {
  return make('data', { value: text, title: brief(text) === typographic(text) ? '' : text, className: 'number' }, shown(text));
}

// value returns an element for a value: a number or, as an array of three, a vector, which is never broken across
// lines. A negative number is put into parentheses if wrap is true.
export function value(full, wrap = false) {
  if (!Array.isArray(full)) {
    return wrap && full.startsWith('-') ? make('span', { className: 'vector' }, '(', number(full), ')') : number(full);
  }
  return make('span', { className: 'vector' }, '(', number(full[0]), ', ', number(full[1]), ', ', number(full[2]), ')');
}

// showAll shows all digits of the numbers in an element, or few.
export function showAll(element, yes) {
  all = yes;
  for (const data of element.querySelectorAll('data.number')) data.textContent = shown(data.value);
}
