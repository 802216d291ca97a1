// Gesture turns a drag into edits of the text: each answer of the engine replaces the one before,
// and the whole is one step to undo. Only the newest position is asked for.
import { aborted } from './failure.js';
import { say } from './dom.js';

export class Gesture {
  #wanted;
  #running = null;
  #failed = false;

  // request(text) is {name, body}: what to ask the engine for, about the text at the begin.
  constructor(session, engine, shown) {
    this.session = session;
    this.engine = engine;
    this.shown = shown; // returns when a picture of the newest text is to be seen
    this.text = session.editor.beginGesture();
    session.draft = true;
  }

  // update asks for the edits of a position; it may be called for every move of a pointer.
  update(name, more) {
    this.#wanted = { name, more };
    this.#running ??= this.#run().finally(() => { this.#running = null; });
  }

  async end() {
    while (this.#running) await this.#running;
    this.session.draft = false;
    this.session.editor.endGesture();
  }

  async #run() {
    for (let wanted; (wanted = this.#wanted) && !this.#failed;) {
      this.#wanted = undefined;
      try {
        const answer = await this.engine.call(wanted.name, this.session.body({ text: this.text, ...wanted.more }));
        this.session.editor.showGesture(answer.edits);
        await this.shown();
      } catch (error) {
        this.#failed = true;
        if (!aborted(error)) say(error.message, 'bad');
      }
    }
  }
}
