// Latest runs one task at a time: a new task cancels the previous one.
import { aborted } from './failure.js';

export class Latest {
  #current = null;

  get busy() { return this.#current !== null; }

  // run runs task(signal). Errors go to onError, except those of a canceled task.
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
