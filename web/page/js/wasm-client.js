// One worker with the engine in it, which answers one request after the other.
import { Failure } from './failure.js';

const PATIENCE = 300; // ms in which an aborted request may still end by itself

export class WasmClient {
  #module;
  #worker;
  #calls = new Map();
  #next = 0;

  constructor(module) {
    this.#module = module;
    this.#begin();
  }

  // call returns the answer of a request; onFrame gets the frames of a picture.
  call(name, body, { signal, onFrame } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const id = this.#next++;
      const abort = () => {
        reject(signal.reason);
        setTimeout(() => { if (this.#calls.has(id)) this.#restart(); }, PATIENCE);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const settle = () => signal?.removeEventListener('abort', abort);
      this.#calls.set(id, { resolve, reject, onFrame, settle, signal, message: { id, name, body: JSON.stringify(body) } });
      this.#worker.postMessage(this.#calls.get(id).message);
    });
  }

  #begin() {
    this.#worker = new Worker(new URL('wasm-worker.js', import.meta.url));
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.#fail(`the engine stopped: ${event.message}`);
    this.#worker.postMessage({ module: this.#module });
  }

  #receive({ id, status, body, frame, broken }) {
    if (broken) return this.#fail(broken);
    const call = this.#calls.get(id);
    if (!call) return;
    try {
      if (frame) {
        if (!call.signal?.aborted) call.onFrame(frame);
        return;
      }
      this.#calls.delete(id);
      call.settle();
      const answer = body ? JSON.parse(body) : {};
      if (status < 300) call.resolve(answer);
      else call.reject(new Failure(status, answer));
    } catch (error) {
      call.reject(error);
    }
  }

  // fail ends every call; the next begins with a new worker.
  #fail(message) {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    this.#worker.terminate();
    this.#begin();
    for (const call of calls) {
      call.settle();
      call.reject(new Failure(500, { error: { message } }));
    }
  }

  // restart ends what runs and begins again with the calls that are still wanted.
  #restart() {
    this.#worker.terminate();
    this.#begin();
    for (const [id, call] of this.#calls) {
      if (call.signal?.aborted) this.#calls.delete(id);
      else this.#worker.postMessage(call.message);
    }
  }
}
