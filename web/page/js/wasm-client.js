// A client of one worker, which runs the engine and answers one request after the other.
import { Failure } from './failure.js';

const GRACE = 300; // ms in which an aborted request may still finish

export class WasmClient {
  #module;
  #newWorker;
  #worker = null;  // started with the first call, or earlier by start
  #queue = [];     // calls that are not sent to the worker yet
  #running = null; // the call that the worker is running
  #next = 0;

  // module may be a promise. newWorker starts a worker.
  constructor(module, newWorker = () => new Worker(new URL('wasm-worker.js', import.meta.url))) {
    this.#module = module;
    this.#newWorker = newWorker;
  }

  get busy() { return this.#running !== null; }

  // call returns the answer to a request; onFrame receives the frames of a picture. Aborting a queued
  // call removes it from the queue. Aborting the running call ends the worker, unless the call
  // finishes soon; queued calls go to a new worker.
  call(name, body, { signal, onFrame } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const id = this.#next++;
      const call = { resolve, reject, onFrame, signal, message: { id, name, body: JSON.stringify(body) } };
      const abort = () => {
        reject(signal.reason);
        this.#unqueueOrRestart(call);
      };
      signal?.addEventListener('abort', abort, { once: true });
      call.settle = () => signal?.removeEventListener('abort', abort);
      this.#queue.push(call);
      this.#proceed();
    });
  }

  #unqueueOrRestart(call) {
    this.#queue = this.#queue.filter((other) => other !== call);
    if (call !== this.#running) return;
    setTimeout(() => { if (call === this.#running) this.#restart(); }, GRACE);
  }

  // proceed sends the worker the next call if it is idle.
  #proceed() {
    if (this.#running || this.#queue.length === 0) return;
    this.#running = this.#queue.shift();
    this.start();
    this.#worker.postMessage(this.#running.message);
  }

  // start starts the worker, so that the first call does not wait for it.
  start() {
    if (this.#worker) return;
    const worker = this.#worker = this.#newWorker();
    worker.onmessage = ({ data }) => { if (worker === this.#worker) this.#receive(data); };
    worker.onerror = (event) => { if (worker === this.#worker) this.#fail(`the engine stopped: ${event.message}`); };
    Promise.resolve(this.#module).then((module) => worker.postMessage({ module }), () => {}); // the page reports why there is no module
  }

  #receive({ id, status, body, frame, broken }) {
    if (broken) return this.#fail(broken);
    const call = this.#running;
    if (call?.message.id !== id) return;
    try {
      if (frame) {
        if (!call.signal?.aborted) call.onFrame(frame);
        return;
      }
      this.#finish(call);
      const answer = body ? JSON.parse(body) : {};
      if (status < 300) call.resolve(answer);
      else call.reject(new Failure(status, answer));
    } catch (error) {
      call.reject(error);
    }
  }

  #finish(call) {
    call.settle();
    this.#running = null;
    this.#proceed();
  }

  // fail rejects the call that broke the worker.
  #fail(message) {
    const call = this.#running;
    this.#restart();
    call?.settle();
    call?.reject(new Failure(500, { error: { message } }));
  }

  // restart ends the worker and the call that it is running; the next call starts a new worker.
  #restart() {
    this.#worker.terminate();
    this.#worker = null;
    this.#running = null;
    this.#proceed();
  }
}
