// Symbols: pointing at a symbol, or focusing a step that defines it, emphasizes it in the lesson, in the derivation and in
// the diagram.
import { make } from './dom.js';

// initSymbols emphasizes the symbols in the given elements together.
export function initSymbols(...parts) {
  const light = (name) => {
    for (const part of parts) {
      for (const symbol of part.querySelectorAll('[data-symbol]')) symbol.classList.toggle('lit', name !== '' && symbol.dataset.symbol === name);
    }
  };
  const nameOf = (target) => {
    const found = target.closest?.('[data-symbol], [data-defines]');
    return found?.dataset.symbol ?? found?.dataset.defines ?? '';
  };
  for (const part of parts) {
    for (const type of ['pointerover', 'focusin']) part.addEventListener(type, ({ target }) => light(nameOf(target)));
    for (const type of ['pointerleave', 'focusout']) part.addEventListener(type, () => light(''));
  }
}

// markers returns elements that lie over the symbols of a diagram.
export function markers(labels) {
  return labels.flatMap(({ symbol, at, box }) => {
    const [left, top, width, height] = box.map((share) => `${100 * share}%`);
    const around = make('span', { className: 'marker' }), point = make('span', { className: 'marker point' });
    Object.assign(around.style, { left, top, width, height });
    Object.assign(point.style, { left: `${100 * at[0]}%`, top: `${100 * at[1]}%` });
    for (const element of [around, point]) element.dataset.symbol = symbol;
    return [around, point];
  });
}
