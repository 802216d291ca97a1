// Marks over the picture: the rays of a pixel, a ring around it, and outlines of solids.
import { makeSVG } from './dom.js';

// The color of the outline of a solid, by its role. A tint over the solid would change its color and hide its shadows.
const ROLES = {
  hit: [10, 132, 255],
  path: [170, 90, 230],
  blocker: [235, 94, 40],
};
// isBlocked reports whether a solid blocks the whole ray of a segment to its light, from outside or from inside.
export const isBlocked = ({ fate }) => fate === 'blocked' || fate === 'enclosed';

const GRIP = 14;   // screen pixels: how far from the end of a ray the pointer may be to drag the end
const CLOSE = 6;   // screen pixels: how far from a ray the pointer may be
const VISIBLE = 4; // screen pixels: the size from which a single pixel of the picture is discernible

export class Marks {
  #outlines; // a canvas over the picture
  #lines;    // an SVG over both
  #segments = []; // the segments that were drawn last
  #unit = 1;    // side of a pixel of the window, in pixels of the picture

  // outlines is a canvas, lines an SVG element; both lie over the picture.
  constructor(outlines, lines) {
    this.#outlines = outlines;
    this.#lines = lines;
  }

  clear() {
    this.#outlines.width = this.#outlines.width; // assigning the width clears a canvas
    this.#lines.replaceChildren();
    this.#segments = [];
  }

  // path draws the segments of an explanation with their labels, and a ring around a pixel, over a picture of a size.
  // label(segment) returns a text.
  path(segments, pixel, { width, height }, label = () => '') {
    this.#lines.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const unit = width / (this.#lines.getBoundingClientRect().width || width); // a pixel of the window
    const shown = segments.filter(({ from, to }) => Math.hypot(to[0] - from[0], to[1] - from[1]) > 0.5);
    this.#segments = segments;
    this.#unit = unit;
    const labels = new Labels(width, height, unit, shown);
    if (pixel) labels.keepOff(pixel[0], pixel[1], 9);
    const grips = segments.slice(0, 1).filter(({ kind, grips: are }) => are && ['ray', 'segment'].includes(kind));
    const drawn = shown.flatMap((segment) => trimmed(segment, width, height)).map((segment) => ray(segment, unit));
    for (const segment of segments) drawn.push(...labels.place(segment, label(segment)));
    for (const { from, to } of grips) drawn.push(...[from, to].map(([cx, cy]) => makeSVG('circle', { cx, cy, r: 6 * unit, class: 'grip' })));
    if (pixel) drawn.push(...crosshair(pixel, unit));
    this.#lines.replaceChildren(...drawn);
  }

  // near returns the name of the ray that is drawn closest to a pixel, '' if none is close.
  near([x, y]) {
    let name = '', least = CLOSE * this.#unit;
    for (const segment of this.#segments) {
      const distance = distanceTo(x + 0.5, y + 0.5, segment);
      if (distance < least) [name, least] = [segment.name ?? '', distance];
    }
    return name;
  }

  // partAt returns which part of the first ray or segment lies at a point: 'start', 'end', '' for the line between, null for
  // none. The start of a ray is mostly outside of the picture.
  partAt(point) {
    const [first] = this.#segments;
    if (!first || !['ray', 'segment'].includes(first.kind)) return null;
    const reach = GRIP * this.#unit, [start, end] = [first.from, first.to].map((x) => Math.hypot(x[0] - point[0], x[1] - point[1]));
    if (end <= reach) return 'end';
    if (start <= reach) return 'start';
    return distanceTo(...point, first) <= CLOSE * this.#unit ? '' : null;
  }

  // light emphasizes the ray with a name; '' emphasizes none.
  light(name) {
    const lit = [...this.#lines.children].filter((mark) => mark.dataset.ray === name && name);
    this.#lines.classList.toggle('lighting', lit.length > 0);
    for (const mark of this.#lines.children) mark.classList.toggle('lit', lit.includes(mark));
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
    else this.#borders(ids, wanted, { width, height });
  }

  // borders colors the pixels of the marked solids that lie on their outlines.
  #borders(ids, wanted, { width, height }) {
    const thick = Math.max(1, Math.round(width / 640));
    const image = new ImageData(width, height);
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const color = wanted.get(ids[at]);
        if (color && onBorder(ids, x, y, width, height, thick)) image.data.set([...color, 255], 4 * at);
      }
    }
    this.#outlines.getContext('2d').putImageData(image, 0, 0);
  }

  // edges draws thin lines along the edges of pixels, inside the marked solids. The pixels keep
  // their colors. scale is the size of a pixel of the picture on the canvas.
  #edges(ids, wanted, { width, height, scale }) {
    this.#outlines.width = width * scale;
    this.#outlines.height = height * scale;
    const context = this.#outlines.getContext('2d');
    const line = Math.max(1, Math.min(3, Math.floor(scale / VISIBLE)));
    const end = scale - line;
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const color = wanted.get(ids[at]), id = ids[at];
        if (!color) continue;
        context.fillStyle = `rgb(${color.join(' ')})`;
        const left = x * scale, top = y * scale;
        if (x > 0 && ids[at - 1] !== id) context.fillRect(left, top, line, scale);
        if (x + 1 < width && ids[at + 1] !== id) context.fillRect(left + end, top, line, scale);
        if (y > 0 && ids[at - width] !== id) context.fillRect(left, top, scale, line);
        if (y + 1 < height && ids[at + width] !== id) context.fillRect(left, top + end, scale, line);
      }
    }
  }
}

// onBorder reports whether a pixel shows another solid than (x, y), if it is thick pixels away in the same row or column.
function onBorder(ids, x, y, width, height, thick) {
  const at = y * width + x, id = ids[at];
  return (x >= thick && ids[at - thick] !== id) || (x + thick < width && ids[at + thick] !== id)
    || (y >= thick && ids[at - thick * width] !== id) || (y + thick < height && ids[at + thick * width] !== id);
}

// distanceTo returns the distance of a point from a segment.
function distanceTo(x, y, { from, to }) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const share = Math.max(0, Math.min(1, ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - from[0] - share * dx, y - from[1] - share * dy);
}

// ray returns the marks of a segment: a line with an arrow head or, if it is blocked, with a cross at its end. The kinds
// differ in the dashes of their lines, too.
function ray(segment, unit) {
  const { kind, name, from, to } = segment;
  const ends = { x1: from[0], y1: from[1], x2: to[0], y2: to[1] };
  const state = isBlocked(segment) ? 'blocked' : kind;
  const group = makeSVG('g', { class: `ray is-${state}${kind === 'light' && segment.depth > 0 ? ' is-later' : ''}` },
    makeSVG('line', { ...ends, class: 'halo' }), makeSVG('line', { ...ends, class: `line is-${state}` }), tip(state, from, to, 7 * unit));
  group.dataset.ray = name ?? '';
  return group;
}

// trimmed returns the part of a segment in and around the picture: SVG has no coordinates beyond 2^25, and the image of a
// ray that starts beside the camera begins there. It returns nothing if there is no such part.
function trimmed(segment, width, height) {
  const { from, to } = segment;
  const part = visible(from, to, [-width, -height, 2 * width, 2 * height]);
  const at = (share) => from.map((x, i) => x + share * (to[i] - x));
  return part ? [{ ...segment, from: part[0] > 0 ? at(part[0]) : from, to: part[1] < 1 ? at(part[1]) : to }] : [];
}

// tip returns the mark at the end of a segment.
function tip(state, from, to, size) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const [x, y] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const at = (along, across) => `${to[0] + (along * x - across * y) * size} ${to[1] + (along * y + across * x) * size}`;
  const d = state === 'blocked' ? `M${at(-1, -1)}L${at(1, 1)}M${at(-1, 1)}L${at(1, -1)}` : `M${at(-1.4, -0.8)}L${at(0, 0)}L${at(-1.4, 0.8)}`;
  return makeSVG('path', { d, class: 'tip' });
}

const PLACES = [0.5, 0.65, 0.35, 0.8, 0.2]; // along the visible part of a ray, for its label
const AWAY = [1, -1, 1.8, -1.8, 2.6, -2.6]; // the side of the ray, and the distance from it, in heights of a label

// Labels places labels beside rays, so that they cover no other label and no other ray.
class Labels {
  #taken = [];

  constructor(width, height, unit, segments) {
    this.width = width;
    this.height = height;
    this.unit = unit;
    this.segments = segments;
  }

  // keepOff reserves a square around a point; side is the distance from the point to its edges, in pixels of the window.
  keepOff(x, y, side) { this.#taken.push([x - side * this.unit, y - side * this.unit, x + side * this.unit, y + side * this.unit]); }

  // place returns the label of a segment; nothing if there is no text, or no room.
  place(segment, text) {
    if (!text) return [];
    const { unit } = this;
    const { kind, name, from, to } = segment;
    const w = (6.9 * text.length + 8) * unit, h = 18 * unit;
    const [begin, end] = visible(from, to, [0, 0, this.width, this.height]) ?? [0, 0];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const side = length > 1 ? [-(to[1] - from[1]) / length, (to[0] - from[0]) / length] : [0, 1];
    for (const away of AWAY) {
      for (const share of PLACES) {
        const at = begin + share * (end - begin);
        const room = Math.sign(away) * (Math.abs(side[0]) * (w - h) / 2); // the label reaches farther across a steep ray
        const middle = [0, 1].map((i) => from[i] + at * (to[i] - from[i]) + (away * 1.1 * h + room) * side[i]);
        const box = [middle[0] - w / 2, middle[1] - h / 2, middle[0] + w / 2, middle[1] + h / 2];
        if (box[0] < 0 || box[1] < 0 || box[2] > this.width || box[3] > this.height || this.#taken.some((other) => overlap(box, other))) continue;
        if (this.segments.some((other) => visible(other.from, other.to, box))) continue;
        this.#taken.push(box);
        const label = makeSVG('text', {
          x: middle[0], y: middle[1] + 4 * unit, class: `label is-${isBlocked(segment) ? 'blocked' : kind}`, 'font-size': 12 * unit, 'stroke-width': 3 * unit,
        }, text);
        label.dataset.ray = name ?? '';
        return [label];
      }
    }
    return [];
  }
}

// visible returns the part of a segment in a box, as shares of its length; null if none is (Liang and Barsky, 1984).
function visible(from, to, [left, top, right, bottom]) {
  let begin = 0, end = 1;
  const way = [to[0] - from[0], to[1] - from[1]];
  for (const [p, q] of [[-way[0], from[0] - left], [way[0], right - from[0]], [-way[1], from[1] - top], [way[1], bottom - from[1]]]) {
    if (p === 0 && q < 0) return null;
    if (p < 0) begin = Math.max(begin, q / p);
    if (p > 0) end = Math.min(end, q / p);
  }
  return begin <= end ? [begin, end] : null;
}

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// crosshair returns a ring around a pixel, of the same size on the page for any picture.
function crosshair([x, y], unit) {
  const at = { cx: x + 0.5, cy: y + 0.5, r: Math.max(0.7, 8 * unit) };
  return [makeSVG('circle', { ...at, class: 'halo' }), makeSVG('circle', { ...at, class: 'ring' })];
}
