// The view from outside: the scene with its camera, the pixel and the path of its ray, taken by another camera, which
// the reader moves. It follows the scene and the question that is explained.
import { aborted } from './failure.js';
import { byId, make } from './dom.js';
import { Marks } from './marks.js';
import { colors } from './swatch.js';

const TURN = 200;    // degrees per drag across the whole view
const NUDGE = 10;    // degrees per arrow key
const CLOSER = 1.15; // factor of the distance per key or notch of the wheel
const NEAREST = 0.05, FARTHEST = 20; // factors of the distance
const LOWEST = -112, HIGHEST = 62;   // degrees up from the default view, which is 25 degrees up
const REST = 200;    // ms without a change after which the view has its final quality
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Outside {
  #engine;
  #session;
  #label;
  #stage = byId('outside-stage');
  #marks = new Marks(null, byId('outside-rays'));
  #orbit = [0, 0];
  #zoom = 1;
  #late = false;   // something has changed since the current request
  #busy = false;
  #drag = null;

  // label(segment) returns the label of a ray.
  constructor(engine, session, label) {
    this.#engine = engine;
    this.#session = session;
    this.#label = label;
    byId('outside-toggle').addEventListener('click', () => this.show(byId('outside').hidden));
    byId('outside-reset').addEventListener('click', () => this.#turn(() => {
      this.#orbit = [0, 0];
      this.#zoom = 1;
    }));
    const on = (type, handle, options) => this.#stage.addEventListener(type, handle.bind(this), options);
    on('pointerdown', this.#down);
    on('pointermove', this.#move);
    for (const type of ['pointerup', 'pointercancel']) on(type, () => { this.#drag = null; });
    on('wheel', this.#wheel, { passive: false });
    on('keydown', this.#key);
    new ResizeObserver(() => this.refresh()).observe(this.#stage);
  }

  show(yes) {
    byId('outside').hidden = !yes;
    byId('outside-toggle').setAttribute('aria-expanded', String(yes));
    document.body.classList.toggle('outside', yes);
    if (yes) this.refresh();
  }

  // refresh shows the current scene and question, if the view is open.
  refresh() {
    this.#late = true;
    if (!this.#busy) this.#run();
  }

  // warn says that this view is right although the visible picture has a mistake. mistaken has the colors of the pixel that is
  // explained; it is undefined if there is none.
  warn(mistake, mistaken) {
    byId('outside-mistaken').hidden = !mistake;
    byId('outside-mistaken').replaceChildren(make('span', {}, 'This view and its rays are right, without the mistake.'), ...(mistaken ? colors(mistaken) : []));
  }

  // light emphasizes the ray with a name; '' emphasizes none.
  light(name) { this.#marks.light(name); }

  #turn(change) {
    change();
    this.#orbit[1] = Math.max(LOWEST, Math.min(HIGHEST, this.#orbit[1]));
    this.#zoom = Math.max(NEAREST, Math.min(FARTHEST, this.#zoom));
    this.#moved = performance.now();
    this.refresh();
  }

  #moved = -Infinity; // when the reader moved the camera

  // run requests pictures until one is up to date: coarse ones while the view or the scene moves, then a fine one.
  async #run() {
    this.#busy = true;
    let coarse = false;
    while ((this.#late || coarse) && !byId('outside').hidden) {
      const moving = this.#session.moving || performance.now() - this.#moved < REST;
      if (!this.#late && moving) {
        await new Promise((resolve) => setTimeout(resolve, REST));
        continue;
      }
      this.#late = false;
      coarse = moving;
      await this.#draw(moving ? 0.5 : 1, moving ? 1 : 2);
    }
    this.#busy = false;
  }

  async #draw(share, samples) {
    const { width, height } = this.#stage.getBoundingClientRect();
    if (!this.#session.valid || !width || !height) return;
    const scale = share * Math.min(devicePixelRatio, 2);
    const size = [width, height].map((length) => Math.max(1, Math.round(length * scale)));
    const body = this.#session.body({ ...this.#session.query, orbit: this.#orbit, zoom: this.#zoom, size, samples });
    try {
      const { png, alt, path } = await this.#engine.call('outside', body);
      await this.#load(png, alt);
      this.#marks.path(path, null, { width: size[0], height: size[1] }, this.#label);
    } catch (error) {
      if (!aborted(error)) this.#marks.path([], null, { width: 1, height: 1 });
    }
  }

  // load shows a PNG, given in base64, once it is decoded.
  async #load(png, alt) {
    const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
    const next = new Image(), image = byId('outside-picture');
    next.src = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
    await next.decode();
    if (image.src.startsWith('blob:')) URL.revokeObjectURL(image.src);
    image.src = next.src;
    image.alt = alt;
  }

  #down(event) {
    if (event.button !== 0) return;
    this.#stage.focus({ preventScroll: true });
    this.#stage.setPointerCapture(event.pointerId);
    this.#drag = { id: event.pointerId, from: [event.clientX, event.clientY], orbit: this.#orbit };
  }

  #move(event) {
    if (event.pointerId !== this.#drag?.id) return;
    const turn = TURN / this.#stage.getBoundingClientRect().width;
    const { from, orbit } = this.#drag;
    this.#turn(() => { this.#orbit = [orbit[0] - (event.clientX - from[0]) * turn, orbit[1] + (event.clientY - from[1]) * turn]; });
  }

  #wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.#turn(() => { this.#zoom *= Math.exp(event.deltaY * lines / 800); });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) this.#turn(() => { this.#orbit = this.#orbit.map((angle, i) => angle + NUDGE * step[i]); });
    else if (event.key === '+' || event.key === '=') this.#turn(() => { this.#zoom /= CLOSER; });
    else if (event.key === '-') this.#turn(() => { this.#zoom *= CLOSER; });
    else if (event.key === 'Home' || event.key === '0') byId('outside-reset').click();
    else return;
    event.preventDefault();
  }
}
