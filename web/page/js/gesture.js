// A gesture turns a drag into edits of the text. The edits of each step replace those of the previous one, and the whole
// gesture is one step to undo. Only the latest position is sent.
import { aborted } from './failure.js';
import { rest, say } from './dom.js';

const BUSY = 200; // ms after which to repeat a step that the server was too busy for

export class Gesture {
  #edits; // the editor's part of the gesture
  #wanted;
  #running = null;
  #hasFailed = false;
  #hasEnded = false;

  // step(edits, name, more) makes a step: it requests the change called name, with the fields of more, of the text from
  // the start of the gesture, shows its edits, and resolves when the picture of the changed text is visible. onEnd() is
  // called after the last step. If live is true, the pictures are explained while the gesture lasts. If still is true,
  // no solid moves, so the pictures are not coarse.
  constructor(session, step, { onEnd = () => {}, live = false, still = false } = {}) {
    this.session = session;
    this.step = step;
    this.onEnd = onEnd;
    this.#edits = session.editor.beginGesture();
    session.moving = session.dragging = !still;
    session.live = live;
  }

  // update makes a step to what is wanted now. It may be called for every move of a pointer.
  update(name, more) {
    this.#wanted = { name, more };
    this.#running ??= this.#run().finally(() => { this.#running = null; });
  }

  async end() {
    this.#hasEnded = true;
    while (this.#running) await this.#running;
    this.#rest();
    this.session.editor.endGesture(this.#edits);
    this.onEnd();
  }

  // cancel restores the text from the start of the gesture.
  cancel() {
    this.#hasFailed = true;
    this.#rest();
    this.session.editor.cancelGesture(this.#edits);
    this.onEnd();
  }

  #rest() { this.session.moving = this.session.dragging = this.session.live = false; }

  async #run() {
    for (let wanted; (wanted = this.#wanted) && !this.#hasFailed;) {
      this.#wanted = undefined;
      try {
        await this.step(this.#edits, wanted.name, wanted.more);
      } catch (error) {
        if (error.status === 429 && !this.#hasEnded) {
          this.#wanted ??= wanted;
          await rest(BUSY);
          continue;
        }
        this.#hasFailed = !error.problems?.length; // a later step may lead to a scene without errors again
        if (!aborted(error)) say(error.message, 'bad');
      }
    }
  }
}
