// The engine within the page: the renderer as wasm, in workers. One worker answers queries, and one renders views from
// outside. The others share the rectangles of a picture.
import { Failure } from './failure.js';
import { dispatch } from './frames.js';
import { WasmClient } from './wasm-client.js';
import { XzReadableStream } from '../vendor/xz.js';

const MOST_WORKERS = 16; // each worker holds the scene and about 50 MB

// wasmEngine returns the engine of a page on a static host.
export const wasmEngine = (onLoad) => engineOf(load('pillbox.wasm.xz', onLoad), { loadCourse: () => load('course.wasm.xz', () => {}) });

// engineOf returns the engine whose module a promise gives. Its picture has at most most workers, which newWorker makes, by
// default from a file of the page. loadCourse loads the module of the course, if the page has one.
export async function engineOf(module, { most = MOST_WORKERS, newWorker, loadCourse }) {
  const client = (from) => new WasmClient(from, newWorker);
  const questions = client(module), sights = client(module);
  const count = Math.min(most, Math.max(1, navigator.hardwareConcurrency || 2));
  const painters = Array.from({ length: count }, () => client(module));
  for (const first of [questions, painters[0]]) first.start(); // the others start with the first picture
  await module;

  async function render(body, listener, signal) {
    if (body.step) return coarse(body, listener, signal);
    const plan = await questions.call('plan', body, { signal });
    listener.head?.({ ...plan, view: body.view ?? 'color' });
    const begun = performance.now();
    const picture = new Painting(listener);
    const rects = plan.rects.slice();
    const first = plan.step > 1 && rects.length > 1 ? [{ step: plan.step }] : [];
    const jobs = [...first, ...rects.map((region) => ({ region }))];
    await Promise.all(painters.map(async (painter) => {
      for (let job; (job = jobs.shift()) && !signal?.aborted;) await picture.paint(painter, { ...body, ...job }, signal);
    }));
    signal?.throwIfAborted();
    return { hash: '', ...picture.done, seconds: (performance.now() - begun) / 1000 };
  }

  // coarse renders only a coarse picture, on an idle worker if there is one. Meanwhile another worker answers the question
  // of the request, about the same text.
  async function coarse({ ask, ...body }, listener, signal) {
    const answered = ask && answer(body, ask, signal).then(listener.answer);
    let done = {};
    const onFrame = (frame) => {
      const last = dispatch(frame, listener);
      if (last?.error) throw new Failure(500, last.error);
      done = last?.done ?? done;
    };
    const painter = painters.find((other) => !other.busy) ?? painters[0];
    await Promise.all([painter.call('render', body, { signal, onFrame }), answered]);
    signal?.throwIfAborted();
    return done;
  }

  // answer returns the answer to a question beside a picture, or {error}.
  async function answer({ view: _, step: __, trap: ___, ...body }, ask, signal) {
    try {
      return await questions.call('explain', { ...body, ...ask }, { signal });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { error: { message: error.message } };
    }
  }

  // The course has an engine of its own, which is loaded with its first request.
  let teacher = null;
  const teach = () => {
    teacher ??= loadCourse().then((other) => client(other)).catch((error) => {
      teacher = null;
      throw error;
    });
    return teacher;
  };

  // Views from outside have a worker of their own, and figures one of those that render, so that they do not delay questions.
  const workers = { outside: () => sights, figure: () => painters.findLast((painter) => !painter.busy) ?? painters[0] };
  const call = async (name, body, signal) => {
    const worker = name.startsWith('course/') ? await teach() : workers[name]?.() ?? questions;
    return worker.call(name, body, { signal });
  };
  return { kind: 'wasm', call, render };
}

// load compiles the module once for all workers, while it downloads.
async function load(url, onLoad) {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) throw new Failure(response?.status ?? 0, { error: { message: `${url} cannot be loaded` } });
  return compile(response.body.pipeThrough(counter(response.headers, onLoad)));
}

// compile compiles a module from a stream. It is compressed with xz, which makes it a quarter smaller than with the
// compression that hosts use.
export function compile(stream) {
  return WebAssembly.compileStreaming(new Response(new XzReadableStream(stream), { headers: { 'Content-Type': 'application/wasm' } }));
}

// counter returns a stream that passes bytes on and reports how many have passed.
function counter(headers, onLoad) {
  const total = headers.get('Content-Encoding') ? 0 : Number(headers.get('Content-Length')); // with an encoding, Content-Length counts compressed bytes
  let loaded = 0;
  return new TransformStream({
    transform(bytes, controller) {
      loaded += bytes.length;
      onLoad(loaded, total);
      controller.enqueue(bytes);
    },
  });
}

// Painting collects the rectangles of one picture. They wait for the coarse picture, which would
// otherwise cover them.
class Painting {
  done = {};
  #waiting = null;

  constructor(listener) { this.listener = listener; }

  async paint(painter, body, signal) {
    const coarse = body.step !== undefined;
    if (coarse) this.#waiting = [];
    const onFrame = (frame) => {
      const last = dispatch(frame, { pixels: (part) => this.#take(part, coarse) });
      if (last?.error) throw new Failure(500, last.error);
      if (last?.done && !coarse) this.#add(last.done);
    };
    await painter.call('render', body, { signal, onFrame });
  }

  #take(part, coarse) {
    if (!coarse && this.#waiting) {
      this.#waiting.push(part);
      return;
    }
    this.listener.pixels(part);
    if (!coarse) return;
    for (const late of this.#waiting ?? []) this.listener.pixels(late);
    this.#waiting = null;
  }

  // add adds the ray counts of a part. It replaces the other statistics by the part's.
  #add(part) {
    const rays = { ...(this.done.rays ?? {}) };
    for (const [kind, n] of Object.entries(part.rays ?? {})) rays[kind] = (rays[kind] ?? 0) + n;
    this.done = { ...part, rays };
  }
}
