// A gesture turns a drag into edits of the text. Each answer of the engine replaces the previous one,
// and the whole gesture is one step to undo. Only the latest position is sent.
import { aborted } from './failure.js';
import { say } from './dom.js';

export class Gesture {
  #edits; // the editor's part of the gesture
  #wanted;
  #running = null;
  #failed = false;

  // shown() resolves when a picture of the latest text is visible. explained() resolves when the latest picture is
  // explained; null if the pictures of the gesture are not explained. If still is true, no solid moves, so the pictures
  // are not coarse.
  constructor(session, engine, shown, { explained = null, still = false } = {}) {
    this.session = session;
    this.engine = engine;
    this.shown = shown;
    this.#edits = session.editor.beginGesture();
    this.explained = explained;
    this.still = still;
    session.moving = session.dragging = !still;
    session.live = explained !== null;
  }

  // update sends the request name, with the scene from the start of the gesture and the fields of more,
  // and applies the edits of the answer. It may be called for every move of a pointer.
  update(name, more) {
    this.#wanted = { name, more };
    this.#running ??= this.#run().finally(() => { this.#running = null; });
  }

  async end() {
    while (this.#running) await this.#running;
    this.#rest();
    this.session.editor.endGesture(this.#edits);
  }

  // cancel restores the text from the start of the gesture.
  cancel() {
    this.#failed = true;
    this.#rest();
    this.session.editor.cancelGesture(this.#edits);
  }

  #rest() { this.session.moving = this.session.dragging = this.session.live = false; }

  async #run() {
    for (let wanted; (wanted = this.#wanted) && !this.#failed;) {
      this.#wanted = undefined;
      const start = performance.now();
      try {
        const answer = await this.engine.call(wanted.name, this.session.body({ text: this.#edits.text, ...wanted.more }));
        this.session.editor.showGesture(this.#edits, answer.edits, this.still);
        await this.shown();
        performance.measure('pillbox drag', { start });
        if (!this.explained) continue;
        await this.explained();
        performance.measure('pillbox explained', { start });
      } catch (error) {
        this.#failed = true;
        if (!aborted(error)) say(error.message, 'bad');
      }
    }
  }
}
