// The line below the picture: what lies under the pointer or the crosshair.
import { byId, make } from './dom.js';

const digits = (x) => Number(x.toPrecision(4)).toString();
const vector = (v) => `(${v.map((x) => digits(Math.abs(x) < 1e-12 ? 0 : x)).join(', ')})`;

export function showReadout([x, y], probe) {
  const facts = [make('span', { className: 'at' }, `${x}, ${y}`)];
  const fact = (label, value) => make('span', {}, make('span', { className: 'label' }, label), ` ${value}`);
  if (probe.solid) {
    facts.push(make('span', { className: 'name' }, probe.solid.label), fact('distance', digits(probe.distance)), fact('normal', vector(probe.normal)));
  } else {
    facts.push(make('span', { className: 'name' }, 'background'));
  }
  const chip = make('span', { className: 'chip' });
  chip.style.backgroundColor = probe.color;
  facts.push(make('span', { className: 'color' }, chip, probe.color));
  byId('readout').replaceChildren(...facts);
}

export function clearReadout() {
  byId('readout').replaceChildren(make('span', { className: 'label' }, 'Point at the picture to see what is there; click to see why.'));
}
