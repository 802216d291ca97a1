// The legend of a view below the picture: a bar of its colors with numbers, the axes of normals, the names of solids.
import { byId, make } from './dom.js';
import { amount } from './units.js';

const MOST = 24; // solids in the legend

// For views whose colors have a fixed meaning: what the two ends of the bar mean.
const SHARES = {
  shadow: ['no light arrives', 'all lights arrive'],
  occlusion: ['the sky is hidden', 'the sky is open'],
};

// showLegend shows the legend of a view. scale is {from, to, unit} for views that have one.
export function showLegend(view, scale) {
  const legend = byId('view-legend');
  const content = contentOf(view, scale);
  legend.hidden = content.length === 0;
  legend.dataset.view = view;
  legend.replaceChildren(...content);
}

function contentOf(view, scale) {
  if (scale) return bar('viridis', [amount(scale.from), ...between(scale, view), amount(scale.to)], scale.unit);
  if (SHARES[view]) return bar('grays', ['0', '0.5', '1'], SHARES[view].join(' to '));
  if (view === 'facing') return bar('facing', ['\u22121', '0', '1'], 'seen from inside, edge-on, head-on');
  if (view === 'normal') return ['x', 'y', 'z'].map((axis, i) => bar(`axis axis-${axis}`, ['\u22121', axis, '+1'], '', i)).flat();
  return [];
}

// between returns a list with the number in the middle of a scale. The list is empty if the view shows counts and this
// number is not whole.
function between({ from, to }, view) {
  const middle = (from + to) / 2;
  return (view === 'depth' || Number.isInteger(middle)) && to > from ? [amount(middle)] : [];
}

// bar returns a bar of colors with numbers below it, and what they mean.
function bar(kind, numbers, meaning) {
  return [make('div', { className: `scale ${kind}` },
    make('span', { className: 'colors', 'aria-hidden': 'true' }),
    make('span', { className: 'numbers' }, ...numbers.map((number) => make('span', {}, number))),
    meaning ? make('span', { className: 'meaning' }, meaning) : null)];
}

// showNames shows the names of the solids in a picture, the largest first. ids has the solid of each pixel, as its
// number plus one. describe(numbers) returns {object, label} of solids. onChoose receives a solid that is clicked.
export async function showNames(picture, ids, describe, onChoose) {
  const pixels = new Map(); // for each solid: the number of its pixels, and the first of them
  ids.forEach((id, at) => {
    const found = pixels.get(id);
    if (found) found.count++;
    else if (id > 0) pixels.set(id, { count: 1, at });
  });
  const largest = [...pixels].sort((a, b) => b[1].count - a[1].count);
  const shown = largest.slice(0, MOST);
  const solids = await describe(shown.map(([id]) => id - 1));
  const legend = byId('view-legend');
  if (legend.dataset.view !== 'object') return;
  legend.hidden = shown.length === 0;
  legend.replaceChildren(make('ul', { 'aria-label': 'Solids in the picture' }, ...solids.map((solid, i) => {
    const [, { at }] = shown[i];
    const chip = make('span', { className: 'chip' });
    chip.style.backgroundColor = `rgb(${picture.color([at % picture.width, Math.floor(at / picture.width)]).slice(0, 3).join(' ')})`;
    return make('li', {}, solid.table || solid.placement
      ? make('button', { type: 'button', title: 'Show it in the text', onclick: () => onChoose(solid) }, chip, solid.label)
      : make('span', {}, chip, solid.label));
  }), ...(largest.length > MOST ? [make('li', {}, `and ${largest.length - MOST} more`)] : [])));
}
