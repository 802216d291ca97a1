// The viewer: one scene in one file that needs no network, to turn and to ask. It shows a still picture until the pointer
// or the focus is on it; then the engine of the playground starts.
import { byId, say } from '../page/js/dom.js';
import { compile, engineOf } from '../page/js/engine-wasm.js';
import { aborted } from '../page/js/failure.js';
import { Marks } from '../page/js/marks.js';
import { initNumberDrag } from '../page/js/numberdrag.js';
import { Picture } from '../page/js/picture.js';
import { Pointer } from '../page/js/pointer.js';
import { Renderer } from '../page/js/renderer.js';
import { Why } from '../page/js/why.js';

const MOST_WORKERS = 4; // a notebook may have many viewers, and a worker holds about 50 MB
const FAST = 30, SLOW = 90; // ms for a coarse picture: below and above, its step changes

// The fields of every request: the text, the size of the picture and, for an animated scene, perhaps a time.
const { text: original, ...size } = JSON.parse(byId('scene').textContent);
const stage = byId('stage'), canvas = byId('picture');

class Viewer {
  query = null;  // the session of Why: the question that is answered
  live = false;
  #text = original;
  #starting = null;
  #step = coarseStep(size);

  constructor() {
    Object.assign(canvas, { width: size.width, height: size.height });
    const engine = { call: async (...args) => (await this.start()).call(...args), render: async (...args) => (await this.start()).render(...args) };
    this.picture = new Picture(canvas, (share) => stage.style.setProperty('--progress', share));
    this.renderer = new Renderer(engine, this.picture);
    this.marks = new Marks(byId('outlines'), byId('rays'));
    this.why = new Why(engine, this, { onAnswer: (answer) => this.#mark(answer), onSelect: () => {} });
    new Pointer(this.picture, {
      begin: () => this.#gesture(),
      why: (pixel) => this.#ask(pixel),
      crosshair: (pixel) => this.marks.path([], pixel, this.picture),
      grab: async () => -1, // solids stay where they are
      steerable: () => null,
      hover: () => {}, leave: () => {}, nextRay: () => {},
    });
    initNumberDrag(byId('sections'), () => this.#gesture());
    byId('reset').addEventListener('click', () => this.#turn(original));
    for (const type of ['pointerenter', 'pointerdown', 'focus']) stage.addEventListener(type, () => this.start(), { once: true });
    // The wheel scrolls the notebook or the page until the picture has the focus.
    byId('frame').addEventListener('wheel', (event) => { if (document.activeElement !== stage) event.stopPropagation(); }, true);
  }

  // body returns the fields of every request about the scene, and the fields of more.
  body(more = {}) { return { text: this.#text, ...size, ...more }; }

  // start starts the engine, once.
  start() {
    this.#starting ??= start().then((engine) => {
      document.documentElement.dataset.engine = 'ready';
      return engine;
    });
    this.#starting.catch((error) => say(`The renderer cannot start: ${error.message}`, 'bad'));
    return this.#starting;
  }

  async #ask(pixel) {
    const query = this.query = { pixel };
    byId('why').classList.toggle('left', pixel[0] > size.width / 2);
    this.marks.path([], pixel, this.picture);
    if (!('engine' in document.documentElement.dataset)) this.why.wait('The renderer starts …');
    await this.start().catch(() => {}); // which reports the error
    if (this.query === query) this.why.ask();
  }

  #mark(answer) {
    if (answer) this.marks.path(answer.path, this.query?.pixel, this.picture);
    else this.marks.clear();
  }

  // gesture returns a drag of the camera or of a number. Only its latest step is rendered, with few pixels.
  #gesture() {
    const base = this.#text;
    let edits = null, wanted = null, running = null;
    const step = async (change) => {
      const begun = performance.now();
      await this.renderer.coarse(this.body({ text: base, change, step: this.#step }), {
        ready: (answer) => answer,
        onPicture: (draw, head) => {
          draw();
          this.marks.clear();
          edits = head.edits;
        },
        onAnswer: () => {},
      });
      const time = performance.now() - begun;
      if (time < FAST) this.#step = Math.max(1, this.#step / 2);
      else if (time > SLOW) this.#step = Math.min(256, this.#step * 2);
    };
    const run = async () => {
      for (let change; (change = wanted);) {
        wanted = null;
        await step(change).catch(complain);
      }
    };
    return {
      update: (name, more) => {
        wanted = { [name]: more };
        running ??= run().finally(() => { running = null; });
      },
      end: async () => {
        while (running) await running;
        if (edits) await this.#turn(applied(base, edits));
      },
      cancel: () => {
        wanted = edits = null;
        this.#turn(base);
      },
    };
  }

  // turn shows another text of the scene, and answers the question about it.
  async #turn(text) {
    this.#text = text;
    byId('reset').hidden = text === original;
    if (this.query) this.why.ask();
    stage.dataset.state = 'rendering';
    const done = await this.renderer.show(this.body(), () => {}, true).catch(complain);
    if (done) stage.dataset.state = 'done';
  }
}

// complain shows an error, unless it means that a newer request replaced this one.
function complain(error) {
  if (!aborted(error)) say(error.message, 'bad');
}

// coarseStep returns the side, in pixels, of the squares of the first coarse picture.
function coarseStep({ width, height }) {
  let step = 2;
  while ((width / step) * (height / step) > 160 * 90) step *= 2;
  return step;
}

// applied returns a text after edits, which are sorted and do not overlap.
const applied = (text, edits) => edits.reduceRight((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text);

// start returns the engine that the file contains.
async function start() {
  const packed = Uint8Array.from(atob(byId('engine').textContent.trim()), (letter) => letter.charCodeAt(0));
  const worker = URL.createObjectURL(new Blob([byId('worker').textContent], { type: 'text/javascript' }));
  const module = compile(new Blob([packed]).stream());
  const engine = await engineOf(module, { most: MOST_WORKERS, newWorker: () => new Worker(worker) });
  await module;
  return engine;
}

document.documentElement.classList.toggle('embedded', window !== window.parent);
document.documentElement.dataset.ready = 'viewer';
byId('hint').hidden = false;
new Viewer();
