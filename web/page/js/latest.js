// Latest runs one task of its kind at a time: a new one cancels the one before.
import { aborted } from './failure.js';

export class Latest {
  #current = null;

  get busy() { return this.#current !== null; }

  // run runs task(signal). Errors go to onError, but for those of a task that was canceled.
  async run(task, onError = () => {}) {
    this.cancel();
    const current = this.#current = new AbortController();
    try {
      await task(current.signal);
    } catch (error) {
      if (!aborted(error)) onError(error);
    } finally {
      if (this.#current === current) this.#current = null;
    }
  }

  cancel() {
    this.#current?.abort();
    this.#current = null;
  }
}
