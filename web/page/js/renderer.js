// Renders one picture at a time: a new request cancels the previous one.
import { aborted } from './failure.js';

export class Renderer {
  #engine;
  #picture;
  #current;

  constructor(engine, picture) {
    this.#engine = engine;
    this.#picture = picture;
  }

  // show renders the scene of body into the picture. It returns the statistics of the last frame, or null if another
  // request replaced this one. It throws a Failure if there is no picture. onCoarse is called when the first part is
  // visible. If fine is true, coarse parts are skipped, because a picture of the same scene is already visible.
  async show(body, onCoarse, fine = false) {
    this.cancel();
    const current = this.#current = new AbortController();
    const begun = performance.now();
    let head;
    const listener = {
      head: (news) => { head = news; },
      pixels: (part) => {
        if (current.signal.aborted || (fine && part.step > 1)) return;
        if (head) this.#picture.begin(head);
        this.#picture.draw(part);
        if (!head) return;
        head = undefined;
        performance.measure('pillbox coarse', { start: begun });
        onCoarse();
      },
    };
    try {
      const done = await this.#engine.render(body, listener, current.signal);
      if (current.signal.aborted) return null;
      performance.measure('pillbox whole', { start: begun });
      return { ...done, waited: (performance.now() - begun) / 1000 };
    } catch (error) {
      if (aborted(error) || current.signal.aborted) return null;
      throw error;
    }
  }

  // cancel ends what is being rendered.
  cancel() { this.#current?.abort(); }
}
