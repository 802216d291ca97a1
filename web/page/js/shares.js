// The bar of contributions: which part of a color each source adds, and what became of every light.
import { make } from './dom.js';

const amountOf = ({ share, percent }) => (share > 0 && percent === 0 ? '< 1 %' : share < 1 && percent === 100 ? '> 99 %' : `${percent} %`);

const ROOM = 0.12; // the share from which a part of the bar has room for a number

// bar returns the bar of the parts of a color; nothing if all of it is black.
export function bar(parts) {
  if (!parts.some(({ share }) => share > 0)) return [];
  return [make('div', { className: 'bar', role: 'img', 'aria-label': `Contributions: ${parts.map((part) => `${part.label} ${amountOf(part)}`).join(', ')}` },
    ...parts.filter(({ share }) => share > 0).map((part) => {
      const piece = make('span', { className: `is-${part.source}`, title: `${part.label} ${amountOf(part)}` }, part.share >= ROOM ? amountOf(part) : '');
      piece.style.flexGrow = part.share;
      return piece;
    }))];
}

// rows returns a row for each light, and a row for each other part of a color. lights are {index, element, ray, fate,
// arrives}.
export function rows(parts, lights) {
  const row = (kind, ray, ...content) => {
    const li = make('li', { className: `is-${kind}` }, make('span', { className: 'dot' }), ...content);
    if (ray) li.dataset.ray = ray;
    return li;
  };
  const amount = (part) => make('span', { className: 'amount' }, amountOf(part));
  return [
    ...parts.filter(({ source }) => source !== 'light').map((part) => row(part.source, part.source === 'mirror' ? 'mirror ray 1' : '', make('span', {}, part.label), amount(part))),
    ...lights.map(({ index, element, ray, fate, arrives }) => {
      const part = parts.find(({ source, light }) => source === 'light' && light === index);
      return row(arrives ? 'light' : 'blocked', ray, make('span', {}, element, `: ${fate}`), ...(part ? [amount(part)] : []));
    }),
  ];
}
