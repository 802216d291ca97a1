// Pointer, wheel and keys on the picture. A click explains a pixel; a drag orbits, pans or moves a
// solid.
import { byId, say } from './dom.js';

const SLACK = 4;           // pixels of the window; a shorter drag is a click
const TURN = 200;          // degrees per drag across the whole picture
const NUDGE = 24;          // pixels of the window that Shift with an arrow key drags
const WHEEL_PAUSE = 250;   // ms without an event after which a wheel gesture has ended
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const tool = () => document.querySelector('input[name=tool]:checked').value;

export class Pointer {
  #stage = byId('stage');
  #fingers = new Map();
  #drag = null;
  #wheel = null;
  #keys = Promise.resolve();
  crosshair = null;

  // acts has these functions: begin() starts a gesture. why(pixel) explains a pixel. hover(pixel) and leave() follow
  // the pointer. steerable(point) returns which part of a ray can be dragged at a point of the picture, null for none, and
  // steer(drag, from, to) drags the part of a drag. grab(pixel) returns the number of the solid there, if any. crosshair(pixel) marks a pixel. nextRay()
  // emphasizes the next ray.
  constructor(picture, acts) {
    this.picture = picture;
    this.acts = acts;
    const on = (type, handle, options) => this.#stage.addEventListener(type, handle.bind(this), options);
    on('pointerdown', this.#down);
    on('pointermove', this.#move);
    on('pointerup', this.#up);
    on('pointercancel', this.#up);
    on('pointerleave', ({ pointerType }) => { if (pointerType !== 'touch') acts.leave(); }); // a finger leaves after every tap
    on('wheel', this.#turn, { passive: false });
    on('keydown', this.#key);
    addEventListener('keydown', (event) => { if (event.key === 'Escape' && this.#drag?.gesture) this.#cancel(event); }, true);
  }

  get #scale() { return this.picture.width / this.#stage.getBoundingClientRect().width; }

  // point returns a point of the window in pixels of the picture, not rounded.
  #point(x, y) {
    const { left, top } = this.#stage.getBoundingClientRect();
    return [(x - left) * this.#scale, (y - top) * this.#scale];
  }

  #down(event) {
    if (event.button !== 0) return;
    this.#stage.focus({ preventScroll: true });
    this.#stage.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.#fingers.size === 2) return this.#pinch();
    const part = event.altKey || event.shiftKey ? null : this.acts.steerable(this.#point(event.clientX, event.clientY));
    if (part !== null) {
      this.#drag = { tool: 'steer', part, from: [event.clientX, event.clientY], gesture: null };
      return;
    }
    const tools = event.altKey ? 'move' : event.shiftKey ? 'pan' : tool();
    this.#drag = { tool: tools, from: [event.clientX, event.clientY], gesture: null };
  }

  #move(event) {
    const here = [event.clientX, event.clientY];
    if (!this.#fingers.has(event.pointerId)) {
      this.acts.hover(this.picture.at(...here));
      this.#stage.classList.toggle('steers', this.acts.steerable(this.#point(...here)) !== null);
      return;
    }
    this.#fingers.set(event.pointerId, here);
    if (this.#drag?.spread) return this.#spread();
    if (!this.#drag) return;
    const way = [here[0] - this.#drag.from[0], here[1] - this.#drag.from[1]];
    if (!this.#drag.moved && Math.hypot(...way) < SLACK) return;
    this.#drag.moved = true;
    this.#stage.dataset.dragging = this.#drag.tool;
    this.#follow(this.#drag, way);
  }

  async #up(event) {
    const drag = this.#drag;
    this.#fingers.delete(event.pointerId);
    if (!drag || this.#fingers.size > 0) return;
    this.#drag = null;
    if (!drag.moved && event.type === 'pointerup') {
      const pixel = this.picture.at(event.clientX, event.clientY);
      this.crosshair = pixel;
      this.acts.hover(pixel);
      this.acts.why(pixel);
    }
    await drag.ready;
    await drag.gesture?.end();
    if (!this.#drag) delete this.#stage.dataset.dragging;
  }

  // cancel takes the drag back.
  #cancel(event) {
    event.preventDefault();
    event.stopPropagation();
    this.#drag.gesture.cancel();
    this.#drag = null;
    delete this.#stage.dataset.dragging;
  }

  // follow drags to the point at the offset way from the start of the drag.
  #follow(drag, way) {
    const scale = this.#scale;
    if (drag.tool === 'steer') {
      const from = this.#point(...drag.from);
      this.acts.steer(drag, from, from.map((x, i) => x + way[i] * scale));
      return;
    }
    if (drag.tool === 'move') {
      drag.pixel ??= this.picture.at(...drag.from);
      drag.to = [drag.pixel[0] + way[0] * scale, drag.pixel[1] + way[1] * scale];
      drag.ready ??= this.#grab(drag);
      if (drag.object >= 0) drag.gesture.update('move', { object: drag.object, from: drag.pixel, to: drag.to });
      return;
    }
    drag.gesture ??= this.acts.begin();
    const turn = TURN / this.#stage.getBoundingClientRect().width;
    const change = drag.tool === 'pan' ? { pan: way.map((x) => x * scale) } : { orbit: [-way[0] * turn, way[1] * turn] };
    drag.gesture.update('camera', change);
  }

  // grab finds the solid to drag.
  async #grab(drag) {
    const object = await this.acts.grab(drag.pixel);
    if (object < 0) {
      say('There is no solid to move here.');
      return;
    }
    drag.gesture = this.acts.begin();
    drag.object = object;
    drag.gesture.update('move', { object, from: drag.pixel, to: drag.to });
  }

  // pinch starts a drag with two fingers.
  #pinch() {
    this.#drag?.gesture?.end();
    this.#drag = { moved: true, spread: this.#distance(), gesture: this.acts.begin() };
  }

  #spread() {
    if (this.#fingers.size === 2) this.#drag.gesture.update('camera', { dolly: this.#drag.spread / Math.max(1, this.#distance()) });
  }

  #distance() {
    const [a, b] = [...this.#fingers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  }

  #turn(event) {
    event.preventDefault();
    if (this.#drag) return;
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.#wheel ??= { gesture: this.acts.begin(), way: 0 };
    this.#wheel.way += event.deltaY * lines;
    this.#wheel.gesture.update('camera', { dolly: Math.exp(this.#wheel.way / 800) });
    clearTimeout(this.#wheel.timer);
    this.#wheel.timer = setTimeout(() => {
      const { gesture } = this.#wheel;
      this.#wheel = null;
      gesture.end();
    }, WHEEL_PAUSE);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step && event.shiftKey) this.#nudge(step.map((x) => x * NUDGE));
    else if (step) this.#walk(step, event.altKey ? 1 : 10);
    else if (event.key === 'Enter' || event.key === ' ') this.acts.why(this.#here());
    else if (event.key === 'r') this.acts.nextRay();
    else if (event.key === '+' || event.key === '=') this.#once((drag) => drag.update('camera', { dolly: 1 / 1.1 }));
    else if (event.key === '-') this.#once((drag) => drag.update('camera', { dolly: 1.1 }));
    else return;
    event.preventDefault();
  }

  // reset removes the crosshair and ends the drag, when another scene is opened.
  reset() {
    clearTimeout(this.#wheel?.timer);
    this.#wheel?.gesture.end();
    this.#drag = this.#wheel = this.crosshair = null;
    delete this.#stage.dataset.dragging;
  }

  #here() { return this.#within(this.crosshair ?? [this.picture.width >> 1, this.picture.height >> 1]); }

  // within returns the nearest pixel of the picture.
  #within([x, y]) {
    const keep = (at, size) => Math.max(0, Math.min(size - 1, Math.round(at)));
    return [keep(x, this.picture.width), keep(y, this.picture.height)];
  }

  #walk([dx, dy], by) {
    const [x, y] = this.#here();
    this.#place(this.crosshair ? [x + dx * by, y + dy * by] : [x, y]);
  }

  #place(pixel) {
    this.crosshair = this.#within(pixel);
    this.acts.crosshair(this.crosshair);
    this.acts.hover(this.crosshair);
  }

  // nudge makes a short drag in response to a key.
  #nudge(way) {
    if (tool() === 'move') {
      const from = this.#here(), to = from.map((at, i) => at + way[i] * this.#scale);
      this.#keys = this.#keys.then(async () => {
        const object = await this.acts.grab(from);
        if (object < 0) return say('There is no solid to move under the crosshair.');
        const gesture = this.acts.begin();
        gesture.update('move', { object, from, to });
        await gesture.end();
        this.#place(to);
      });
      return;
    }
    this.#once((gesture) => this.#follow({ tool: tool(), gesture }, way));
  }

  // once makes a gesture of one step, after the previous gestures.
  #once(act) {
    this.#keys = this.#keys.then(async () => {
      const gesture = this.acts.begin();
      act(gesture);
      await gesture.end();
    });
  }
}
