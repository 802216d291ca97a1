// Marks over the picture: the rays of a pixel, a ring around it, and outlines of solids.
import { makeSVG } from './dom.js';

// How a solid is marked, by its role: the color; the opacity of the tint over the solid, 0 to 255; and whether it has an
// outline. In pictures with large pixels, solids have outlines only.
const ROLES = {
  hit: { color: [10, 132, 255], veil: 24, outlined: true },
  path: { color: [170, 90, 230], veil: 14, outlined: false },
  blocker: { color: [235, 94, 40], veil: 70, outlined: true },
};
const VISIBLE = 4; // screen pixels: the size from which a single pixel of the picture is discernible

export class Marks {
  #outlines; // a canvas over the picture
  #lines;    // an SVG over both

  // outlines is a canvas, lines an SVG element; both lie over the picture.
  constructor(outlines, lines) {
    this.#outlines = outlines;
    this.#lines = lines;
  }

  clear() {
    this.#outlines.width = this.#outlines.width; // assigning the width clears a canvas
    this.#lines.replaceChildren();
  }

  // path draws the segments of an explanation, and a ring around a pixel, over a picture of a size.
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

  // outline marks solids over a picture of a size. roles maps numbers of solids to names of ROLES,
  // ids holds the number + 1 of every pixel's solid.
  outline(ids, roles, { width, height }) {
    const scale = Math.floor((this.#outlines.getBoundingClientRect().width * devicePixelRatio) / width);
    const wanted = new Map([...roles].map(([object, role]) => [object + 1, ROLES[role]])); // by id
    this.#outlines.width = width; // which also empties the canvas
    this.#outlines.height = height;
    if (roles.size === 0) return;
    if (scale >= VISIBLE) this.#edges(ids, wanted, { width, height, scale });
    else this.#veils(ids, wanted, { width, height });
  }

  // veils tints whole pixels.
  #veils(ids, wanted, { width, height }) {
    const thick = Math.max(1, Math.round(width / 640));
    const image = new ImageData(width, height);
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

  // edges draws thin lines along the edges of pixels, inside the outlined solids. The pixels keep
  // their colors. scale is the size of a pixel of the picture on the canvas.
  #edges(ids, wanted, { width, height, scale }) {
    this.#outlines.width = width * scale;
    this.#outlines.height = height * scale;
    const context = this.#outlines.getContext('2d');
    const line = Math.max(1, Math.min(3, Math.floor(scale / VISIBLE)));
    const end = scale - line;
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const role = wanted.get(ids[at]), id = ids[at];
        if (!role) continue;
        context.fillStyle = `rgb(${role.color.join(' ')})`;
        const left = x * scale, top = y * scale;
        if (x > 0 && ids[at - 1] !== id) context.fillRect(left, top, line, scale);
        if (x + 1 < width && ids[at + 1] !== id) context.fillRect(left + end, top, line, scale);
        if (y > 0 && ids[at - width] !== id) context.fillRect(left, top, scale, line);
        if (y + 1 < height && ids[at + width] !== id) context.fillRect(left, top + end, scale, line);
      }
    }
  }
}

// onBorder reports whether another solid is within thick pixels, along a row or a column.
function onBorder(ids, x, y, width, height, thick) {
  const at = y * width + x, id = ids[at];
  return (x >= thick && ids[at - thick] !== id) || (x + thick < width && ids[at + thick] !== id)
    || (y >= thick && ids[at - thick * width] !== id) || (y + thick < height && ids[at + thick * width] !== id);
}

// crosshair returns a ring around a pixel, of the same size on the page for any picture.
function crosshair([x, y], width) {
  const at = { cx: x + 0.5, cy: y + 0.5, r: width / 110 };
  return [makeSVG('circle', { ...at, class: 'halo' }), makeSVG('circle', { ...at, class: 'ring' })];
}
