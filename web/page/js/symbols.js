// Pointing at a symbol, a step, a part of the diagram or a ray over the picture emphasizes everything that belongs to
// it: in the lesson, in the derivation, in the diagram and over the pictures. Focusing one of them does the same.
import { byId, make } from './dom.js';

export class Emphasis {
  #parts;
  #onRay;

  // parts are elements with symbols; onRay receives the name of the ray to emphasize, '' for none.
  constructor(parts, onRay) {
    this.#parts = parts;
    this.#onRay = onRay;
    for (const part of parts) {
      for (const type of ['pointerover', 'focusin']) part.addEventListener(type, ({ target }) => this.#about(target));
      for (const type of ['pointerleave', 'focusout']) part.addEventListener(type, () => this.clear());
    }
  }

  clear() { this.#light([], ''); }

  // ray emphasizes a ray with the symbol of its direction, wherever an explanation speaks of this ray.
  ray(name) { this.#light(name ? [directionOf(name)] : [], name, true); }

  // about emphasizes the symbols and the ray that an element is about.
  #about(target) {
    const symbol = target.closest?.('[data-symbol], [data-defines]');
    const names = symbol ? [symbol.dataset.symbol ?? symbol.dataset.defines] : target.matches?.('pre, code') ? symbolsIn(target) : [];
    const own = target.closest?.('[data-ray]')?.dataset.ray ?? '';
    if (names.length === 0) this.ray(own);
    else this.#light(names, own || rayOf(names));
  }

  // light emphasizes symbols and a ray. If only is set, it leaves out symbols in steps about other rays.
  #light(names, ray, only = false) {
    for (const part of this.#parts) {
      for (const symbol of part.querySelectorAll('[data-symbol]')) {
        const about = symbol.closest('[data-ray]')?.dataset.ray ?? (symbol.classList.contains('marker') ? rayOf([symbol.dataset.symbol]) : null);
        symbol.classList.toggle('lit', names.includes(symbol.dataset.symbol) && (!only || about === ray));
      }
      for (const step of part.querySelectorAll('[data-ray]')) step.classList.toggle('lit-ray', ray !== '' && step.dataset.ray === ray);
    }
    this.#onRay(ray);
  }
}

const symbolsIn = (element) => [...new Set([...element.querySelectorAll('[data-symbol]')].map(({ dataset }) => dataset.symbol))];

// directionOf returns the symbol of the direction of a ray: L toward a light, otherwise d.
const directionOf = (ray) => (ray.startsWith('shadow ray') ? 'L' : 'd');

// rayOf returns the ray of the first step with one of the symbols, which are tried in order; '' if no step about a ray
// has any.
function rayOf(names) {
  for (const name of names) {
    const step = [...byId('sections').querySelectorAll(`[data-defines="${CSS.escape(name)}"], [data-symbol="${CSS.escape(name)}"]`)].find((found) => found.closest('[data-ray]'));
    if (step) return step.closest('[data-ray]').dataset.ray;
  }
  return '';
}

// markers returns elements that lie over the symbols of a diagram: for each a button around the label, and its point. Tab
// leads to the first button, arrow keys from one to the next.
export function markers(labels) {
  return labels.flatMap(({ symbol, at, box }, i) => {
    const [left, top, width, height] = box.map((share) => `${100 * share}%`);
    const around = make('button', { type: 'button', className: 'marker', tabIndex: i === 0 ? 0 : -1, 'aria-label': symbol.replaceAll('_', ' ') });
    const point = make('span', { className: 'marker point' });
    Object.assign(around.style, { left, top, width, height });
    Object.assign(point.style, { left: `${100 * at[0]}%`, top: `${100 * at[1]}%` });
    for (const element of [around, point]) element.dataset.symbol = symbol;
    return [around, point];
  });
}

// initMarkers lets arrow keys move the focus among the markers in an element.
export function initMarkers(frame) {
  frame.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = [...frame.querySelectorAll('button.marker')], now = all.indexOf(document.activeElement);
    if (!step || now < 0) return;
    event.preventDefault();
    const next = all[(now + step + all.length) % all.length];
    all[now].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
