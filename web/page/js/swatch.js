// A color of a pixel, as a chip with its number.
import { make } from './dom.js';

const hex = (n) => n.toString(16).padStart(2, '0');

// colors returns the color of a pixel as the visible picture shows it, with a mistake, and the right one.
export function colors({ color, right }) {
  const named = (label, it) => make('span', { className: 'color' }, make('span', { className: 'label' }, label), swatch(it));
  return [named('with the mistake', color), named('right', right)];
}

// swatch returns the chip and the number of an sRGB color with alpha, 0 to 255.
export function swatch([r, g, b, alpha]) {
  const chip = make('span', { className: 'chip' });
  chip.style.backgroundColor = `rgb(${r} ${g} ${b} / ${alpha / 255})`;
  const number = alpha === 0 ? 'transparent' : `#${[r, g, b].map(hex).join('')}`;
  return make('span', { className: 'color' }, chip, number);
}
