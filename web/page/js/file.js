// The file that render serve was given: it is saved, and what another editor changes is followed.
import { aborted } from './failure.js';
import { byId, make, say } from './dom.js';
import { differences } from './differences.js';

const RETRY = 3000; // ms between attempts while the server does not answer

export class ServedFile {
  #crlf; // the file's lines end with \r\n
  #version;
  #theirs = null; // what stands in the file, if it is another text than was opened here

  // isOpen() says whether the file is what the editor shows; onReload() is called when a file
  // beside it changed.
  constructor(engine, session, file, { isOpen, onReload }) {
    Object.assign(this, { engine, session, isOpen, onReload, name: file.name });
    this.#crlf = file.text.includes('\r\n');
    this.#version = file.version;
    this.text = this.#plain(file.text);
    byId('save').addEventListener('click', () => this.save());
    byId('conflict-mine').addEventListener('click', () => this.#overwrite());
    byId('conflict-theirs').addEventListener('click', () => this.#adopt());
    byId('compare').addEventListener('click', () => this.#compare());
    this.#follow();
  }

  #plain(text) { return text.replaceAll('\r\n', '\n'); }

  async save() {
    const text = this.session.editor.text;
    try {
      const answer = await this.engine.call('save', { text: this.#crlf ? text.replaceAll('\n', '\r\n') : text, version: this.#version });
      this.#settle(text, answer.version);
      say(`${this.name} saved.`);
    } catch (error) {
      if (error.status !== 409) return say(error.message, 'bad');
      this.#differ(error.body);
      this.#compare();
    }
  }

  // settle notes what the file holds now, which is what the editor shows.
  #settle(text, version) {
    this.#version = version;
    this.text = this.session.document.text = text;
    this.#theirs = null;
    byId('conflict-bar').hidden = true;
    this.show();
  }

  // show says in the button whether there is something to save.
  show() {
    const button = byId('save');
    button.hidden = !this.isOpen();
    const modified = this.session.modified;
    button.disabled = !modified;
    button.title = modified ? `Save ${this.name} (Ctrl+S)` : `${this.name} is saved`;
  }

  async #follow() {
    let files = 0;
    for (;;) {
      try {
        const news = await this.engine.call('follow', { version: this.#theirs?.version ?? this.#version, files });
        if (news.files > files) this.onReload();
        files = news.files;
        this.#notice(news);
      } catch (error) {
        if (aborted(error)) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
  }

  // notice takes what the file holds by now. An unsaved text stays until the user decides.
  #notice({ text, version }) {
    if (version === this.#version || version === this.#theirs?.version) return;
    const plain = this.#plain(text);
    if (!this.isOpen()) {
      this.#version = version;
      this.text = plain;
    } else if (plain === this.session.editor.text) {
      this.#settle(plain, version);
    } else if (!this.session.modified && !this.session.editor.inGesture) {
      this.session.document.text = plain;
      this.session.editor.replace(plain);
      this.#settle(plain, version);
      say(`${this.name} was changed by another program; this is what it holds now.`);
    } else {
      this.#differ({ text, version });
    }
  }

  #differ({ text, version }) {
    this.#theirs = { text: this.#plain(text), version };
    byId('conflict-bar').hidden = false;
  }

  // compare shows both texts, with the lines marked that are not in both.
  #compare() {
    if (!this.#theirs) return;
    const mine = this.session.editor.text.split('\n'), theirs = this.#theirs.text.split('\n');
    const differs = differences(mine, theirs);
    byId('mine').replaceChildren(...marked(mine, differs.a));
    byId('theirs').replaceChildren(...marked(theirs, differs.b));
    byId('conflict').showModal();
    for (const box of [byId('mine'), byId('theirs')]) box.querySelector('mark')?.scrollIntoView({ block: 'center' });
  }

  async #overwrite() {
    this.#version = this.#theirs.version;
    await this.save();
  }

  #adopt() {
    const { text, version } = this.#theirs;
    this.session.editor.replace(text);
    this.#settle(text, version);
  }
}

// marked returns the text of lines, marked where they differ.
function marked(lines, differs) {
  const parts = [];
  lines.forEach((line, i) => {
    if (i === 0 || differs[i] !== differs[i - 1]) parts.push(make(differs[i] ? 'mark' : 'span'));
    parts.at(-1).append(`${line}\n`);
  });
  return parts;
}
