// What is drawn over the picture: the path of a pixel, a crosshair, and the outlines of solids.
import { makeSVG } from './dom.js';

// How a solid is marked: its color, how much of it lies over the solid, and whether it has an outline.
const ROLES = {
  hit: { color: [10, 132, 255], veil: 24, outlined: true },
  path: { color: [170, 90, 230], veil: 14, outlined: false },
  blocker: { color: [235, 94, 40], veil: 70, outlined: true },
};

export class Marks {
  #outlines; // a canvas over the picture
  #lines;    // an SVG over both

  constructor(outlines, lines) {
    this.#outlines = outlines;
    this.#lines = lines;
  }

  clear() {
    this.#outlines.width = this.#outlines.width; // which empties a canvas
    this.#lines.replaceChildren();
  }

  // path draws the segments that an explanation comes with; width and height are the picture's.
  path(segments, pixel, { width, height }) {
    this.#lines.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const shown = segments.filter(({ from, to }) => Math.hypot(to[0] - from[0], to[1] - from[1]) > 0.5);
    const drawn = [];
    for (const { kind, fate, from, to } of shown) {
      const ends = { x1: from[0], y1: from[1], x2: to[0], y2: to[1] };
      const state = fate === 'blocked' ? 'blocked' : kind;
      drawn.push(makeSVG('line', { ...ends, class: 'halo' }), makeSVG('line', { ...ends, class: `line is-${state}` }));
    }
    if (pixel) drawn.push(...crosshair(pixel, width));
    this.#lines.replaceChildren(...drawn);
  }

  // outline marks solids: roles maps numbers of solids to names of ROLES, ids
  // holds the number + 1 of every pixel's solid.
  outline(ids, roles, { width, height }) {
    this.#outlines.width = width;
    this.#outlines.height = height;
    if (roles.size === 0) return;
    const thick = Math.max(1, Math.round(width / 640));
    const image = new ImageData(width, height);
    const wanted = new Map([...roles].map(([object, role]) => [object + 1, ROLES[role]]));
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const role = wanted.get(ids[at]);
        if (!role) continue;
        image.data.set(role.color, 4 * at);
        image.data[4 * at + 3] = role.outlined && onBorder(ids, x, y, width, height, thick) ? 255 : role.veil;
      }
    }
    this.#outlines.getContext('2d').putImageData(image, 0, 0);
  }
}

function onBorder(ids, x, y, width, height, thick) {
  const at = y * width + x, id = ids[at];
  return (x >= thick && ids[at - thick] !== id) || (x + thick < width && ids[at + thick] !== id)
    || (y >= thick && ids[at - thick * width] !== id) || (y + thick < height && ids[at + thick * width] !== id);
}

// crosshair is a ring around a pixel, as large at any size of the picture.
function crosshair([x, y], width) {
  const at = { cx: x + 0.5, cy: y + 0.5, r: width / 110 };
  return [makeSVG('circle', { ...at, class: 'halo' }), makeSVG('circle', { ...at, class: 'ring' })];
}
