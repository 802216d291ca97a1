// Renders one picture at a time: a new request cancels the previous one.
import { aborted } from './failure.js';
import { rest } from './dom.js';

const FRAME = 16; // ms for which a coarse picture waits for the answer that comes with it

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

  // coarse gets the coarse picture of body and, if body asks a question, the answer. It calls onPicture(draw, head, answer)
  // when it has both; draw() draws the picture. It waits for the answer no longer than a frame: then the argument answer
  // is undefined, and onAnswer(answer) follows. Without a question the answer is null. ready(answer) may prepare an
  // answer first. coarse returns the statistics, or null if another request replaced this one. It throws a Failure if
  // there is no picture.
  async coarse(body, { ready, onPicture, onAnswer }) {
    this.cancel();
    const { signal } = this.#current = new AbortController();
    const begun = performance.now();
    const pictured = Promise.withResolvers(), answered = Promise.withResolvers();
    let head, waited;
    const listener = {
      head: (news) => { head = news; },
      pixels: (part) => {
        waited = (performance.now() - begun) / 1000;
        pictured.resolve(part);
      },
      answer: (news) => answered.resolve(ready(news)),
    };
    if (!body.ask) answered.resolve(null);
    const show = async () => {
      const part = await pictured.promise;
      const answer = await Promise.race([answered.promise, rest(FRAME)]);
      if (signal.aborted) return;
      onPicture(() => {
        this.#picture.begin(head);
        this.#picture.draw(part);
      }, head, answer);
      performance.measure('pillbox coarse', { start: begun });
      if (answer !== undefined) return;
      const late = await answered.promise;
      if (!signal.aborted) onAnswer(late);
    };
    try {
      const [done] = await Promise.all([this.#engine.render(body, listener, signal), show()]);
      return signal.aborted ? null : { ...done, waited };
    } catch (error) {
      if (aborted(error) || signal.aborted) return null;
      throw error;
    }
  }

  // cancel ends what is being rendered.
  cancel() { this.#current?.abort(); }
}
