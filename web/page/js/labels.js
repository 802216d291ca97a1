// Labels of the scene can be dragged in the picture, or moved with the arrow keys. Each has a handle over its text.
import { Latest } from './latest.js';
import { byId, make } from './dom.js';

const SLACK = 4; // pixels of the window; a shorter drag is a click
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const HINT = 'Drag it, or press arrow keys: one pixel, with Shift ten';

export class Labels {
  #layer = byId('labels');
  #handles = new Map(); // by the number of the label
  #requests = new Latest();
  #drag = null;
  #keys = Promise.resolve();

  // acts has these functions: begin() starts a gesture, and select(label) shows the table of a label.
  constructor(engine, session, picture, acts) {
    this.engine = engine;
    this.session = session;
    this.picture = picture;
    this.acts = acts;
    addEventListener('keydown', (event) => { if (event.key === 'Escape' && this.#drag) this.#cancel(event); }, true);
  }

  // refresh puts a handle over each label of the complete picture that the text defines.
  refresh() {
    if (this.#drag) return;
    const { session } = this;
    if (session.view !== 'color' || session.trap || !/\blabel\b/.test(session.editor.text)) {
      this.clear();
      return;
    }
    const body = session.body({ width: this.picture.width, height: this.picture.height });
    this.#requests.run(async (signal) => {
      const { labels } = await this.engine.call('labels', body, signal);
      if (!this.#drag) this.#show(labels.filter(({ table }) => table));
    }, () => this.clear()); // the text has errors by now
  }

  // clear removes all handles, when other labels are about to appear.
  clear() {
    this.#requests.cancel();
    this.#drag = null;
    this.#show([]);
  }

  // hide hides the handles until the next refresh: the labels move with the camera or a solid.
  hide() {
    if (!this.#drag) this.#layer.hidden = true;
  }

  #show(labels) {
    this.#layer.hidden = false;
    const old = this.#handles;
    this.#handles = new Map();
    for (const label of labels) {
      const handle = old.get(label.label) ?? this.#handle(label.label);
      old.delete(label.label);
      this.#handles.set(label.label, handle);
      place(handle, label.box, this.picture);
      handle.label = label;
      handle.setAttribute('aria-label', `Label \u201c${label.text}\u201d`);
      if (!handle.isConnected) this.#layer.append(handle);
    }
    for (const handle of old.values()) handle.remove();
  }

  #handle(number) {
    const handle = make('button', { type: 'button', className: 'label-handle', title: HINT, 'aria-describedby': 'label-hint' });
    const on = (type, act) => handle.addEventListener(type, act);
    on('pointerdown', (event) => this.#down(event, handle));
    on('pointermove', (event) => this.#move(event, handle, number));
    on('pointerup', (event) => this.#up(event, handle));
    on('pointercancel', (event) => this.#cancel(event));
    on('keydown', (event) => this.#key(event, number));
    on('click', (event) => { if (event.detail === 0) this.acts.select(handle.label); }); // Enter or Space
    on('wheel', (event) => { // zooms, as beside the label
      event.preventDefault();
      byId('stage').dispatchEvent(new WheelEvent('wheel', event));
    });
    return handle;
  }

  get #scale() { return this.picture.width / this.#layer.getBoundingClientRect().width; }

  #down(event, handle) {
    if (event.button !== 0 || this.#drag) return;
    handle.setPointerCapture(event.pointerId);
    this.#drag = { id: event.pointerId, from: [event.clientX, event.clientY], handle, gesture: null };
  }

  #move(event, handle, label) {
    const drag = this.#drag;
    if (event.pointerId !== drag?.id) return;
    const way = [event.clientX - drag.from[0], event.clientY - drag.from[1]];
    if (!drag.gesture && Math.hypot(...way) < SLACK) return;
    drag.gesture ??= this.acts.begin();
    const by = way.map((x) => Math.round(x * this.#scale));
    handle.style.translate = by.map((x) => `${x / this.#scale}px`).join(' ');
    handle.dataset.dragging = 'true';
    drag.gesture.update('shift', { label, by });
  }

  async #up(event, handle) {
    const drag = this.#drag;
    if (event.pointerId !== drag?.id) return;
    if (drag.gesture) await drag.gesture.end();
    else this.acts.select(handle.label);
    if (this.#drag === drag) this.#drop();
  }

  // cancel takes the drag back, together with its edit.
  #cancel(event) {
    event.preventDefault();
    event.stopPropagation();
    this.#drag?.gesture?.cancel();
    this.#drop();
  }

  #drop() {
    const handle = this.#drag?.handle;
    this.#drag = null;
    if (!handle) return;
    delete handle.dataset.dragging;
    this.refresh();
  }

  #key(event, label) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const by = step.map((x) => x * (event.shiftKey ? 10 : 1));
    this.#keys = this.#keys.then(async () => {
      const gesture = this.acts.begin();
      gesture.update('shift', { label, by });
      await gesture.end();
    });
  }
}

// place puts a handle over a box, in pixels of a picture.
function place(handle, [left, top, right, bottom], { width, height }) {
  const share = (x, size) => `${(100 * x) / size}%`;
  const box = [share(left, width), share(top, height), share(right - left, width), share(bottom - top, height)];
  [handle.style.left, handle.style.top, handle.style.width, handle.style.height] = box;
  handle.style.translate = '';
}
