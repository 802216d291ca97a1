// The line below the picture: what is under the pointer or, without a pointer, under the crosshair.
import { Latest } from './latest.js';
import { byId, make } from './dom.js';
import { colors, swatch } from './swatch.js';

const digits = (x) => Number(x.toPrecision(4)).toString();
const vector = (v) => `(${v.map((x) => digits(Math.abs(x) < 1e-12 ? 0 : x)).join(', ')})`;

export class Readout {
  #probes = new Latest();
  #probe;
  #pixel = null;
  #waiting = true;  // the picture is older than the scene
  #late = false;    // the pixel has changed since the current probe began

  // probe(pixel, signal) returns the engine's data about a pixel, or null.
  constructor(probe) {
    this.#probe = probe;
    this.#hint();
  }

  // point shows the data of a pixel, or a hint if pixel is null. While a probe runs, only the latest pixel is kept.
  point(pixel) {
    this.#pixel = pixel;
    if (!pixel) {
      this.#probes.cancel();
      this.#hint();
    } else if (this.#waiting) {
      this.#show(pixel, []);
    } else if (this.#probes.busy) {
      this.#late = true;
    } else {
      this.#run(pixel);
    }
  }

  // wait hides the data of the previous picture, until refresh.
  wait() {
    this.#waiting = true;
    this.#probes.cancel();
    this.point(this.#pixel);
  }

  // refresh probes the pixel again, after a new picture is complete.
  refresh() {
    this.#waiting = false;
    this.#probes.cancel();
    this.point(this.#pixel);
  }

  async #run(pixel) {
    this.#late = false;
    await this.#probes.run(async (signal) => {
      const probe = await this.#probe(pixel, signal);
      signal.throwIfAborted();
      this.#show(pixel, probe ? facts(probe) : []);
    });
    if (this.#late && !this.#waiting && !this.#probes.busy) this.point(this.#pixel);
  }

  #show([x, y], more) {
    byId('readout').replaceChildren(make('span', { className: 'at' }, `${x}, ${y}`), ...more);
  }

  #hint() {
    byId('readout').replaceChildren(make('span', { className: 'label' }, 'Point at the picture to see what is there; click to see why.'));
  }
}

function facts({ solid, distance, normal, color, alpha, mistaken }) {
  const fact = (label, value) => make('span', {}, make('span', { className: 'label' }, label), ` ${value}`);
  return [
    make('span', { className: 'name' }, solid ? solid.label : 'background'),
    ...(solid ? [fact('distance', digits(distance)), fact('normal', vector(normal))] : []),
    ...(mistaken ? colors(mistaken) : [swatch([1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)).concat(alpha))]),
  ];
}
