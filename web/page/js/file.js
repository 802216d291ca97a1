// The file that `render serve` edits. The page saves it and loads the changes of other programs.
//
// The file has its own buffer in the editor, whichever scene is shown, and records the version of
// the file on which the buffer is based. The server refuses a save if the file on disk has another
// version, so changes of other programs are overwritten only if the user chooses so.
import { aborted } from './failure.js';
import { byId, make, say } from './dom.js';
import { differences } from './differences.js';
import { keepDraft } from './draft.js';
import { normalized } from './editor.js';

const RETRY = 3000; // ms before a refused request is repeated

export class ServedFile {
  document;                  // as in the session: text is the base of the buffer, base is its version
  #crlf;                     // lines on disk end with \r\n
  #theirs = null;            // {text, version, crlf} on disk, if it is neither the base nor the buffer
  #compared = null;          // {mine, theirs}: the texts that the dialog shows
  #unanswered = [];          // texts of saves that may or may not have reached the disk
  #saves = Promise.resolve(); // the save in progress and those queued after it
  #attempts = 0;             // number of saves that have begun
  #gone = false;             // the server serves another file

  // isOpen() reports whether the editor shows the file. onReload() is called when a file that the
  // scene reads has changed, onStranger(name) when the server serves another file.
  constructor(engine, editor, { name, text, version }, { isOpen, onReload, onStranger }) {
    Object.assign(this, { engine, editor, isOpen, onReload, onStranger, name });
    this.#crlf = hasCRLF(text);
    this.document = { key: 'file', name: name.replace(/\.toml$/, ''), file: true, text: normalized(text), base: version };
    byId('save').addEventListener('click', () => this.save());
    byId('compare').addEventListener('click', () => this.#compare());
    byId('conflict-mine').addEventListener('click', () => this.#overwrite());
    byId('conflict-theirs').addEventListener('click', () => this.#adopt());
    this.#follow();
  }

  // buffer is the text of the file in the editor, with the edits that are not saved.
  get buffer() { return this.editor.textOf('file') ?? this.document.text; }

  get modified() { return this.buffer !== this.document.text; }

  // rebase is called after restoring a draft that is based on a version other than the version on disk. The user has to
  // decide.
  rebase(version) {
    this.#differ({ text: this.document.text, version: this.document.base, crlf: this.#crlf });
    this.document.base = version;
  }

  // retire prevents further saves: the server now serves another file.
  retire() { this.#gone = true; }

  // save writes the buffer. Saves run one after the other.
  save() { return this.#enqueue(() => this.#write(this.buffer, this.document.base)); }

  #enqueue(write) {
    this.#saves = this.#saves.then(write);
    return this.#saves;
  }

  async #write(text, version) {
    if (this.#gone) return say(`${this.name} is not saved: the server serves another file.`, 'bad');
    this.#attempts++;
    try {
      const answer = await this.engine.call('save', { text: this.#crlf ? text.replaceAll('\n', '\r\n') : text, version });
      this.#settle(text, answer.version);
      say(`${this.name} saved.`);
    } catch (error) {
      if (error.status === 0 || error.status === 409) this.#unanswered.push(text); // browsers repeat requests
      if (error.status === 409) return this.#resolve(error.body, version);
      say(`${this.name} is not saved: ${error.message}`, 'bad');
    }
  }

  // resolve handles a save that was refused because it was based on a version other than the version on disk. If the
  // buffer conflicts with the text on disk, the user compares both. Otherwise resolve saves the buffer again if it has
  // edits.
  async #resolve(disk, version) {
    this.#notice(disk);
    if (this.#theirs) this.#compare();
    else if (this.modified && version !== this.document.base) await this.#write(this.buffer, this.document.base);
  }

  // settle makes the text on disk the base of the buffer.
  #settle(text, version) {
    this.document.text = text;
    this.document.base = version;
    this.#theirs = null;
    this.#unanswered = [];
    keepDraft(this.document, this.buffer);
    this.show();
  }

  // show updates the Save button and the conflict bar, which are visible only while the file is open.
  show() {
    const open = this.isOpen(), modified = open && this.modified;
    const button = byId('save');
    button.hidden = !open;
    button.disabled = !modified;
    button.title = modified ? `Save ${this.name} (Ctrl+S)` : `${this.name} is saved`;
    byId('conflict-bar').hidden = !open || !this.#theirs;
    if (!open && byId('conflict').open) byId('conflict').close();
  }

  // edited is called when the buffer has changed.
  edited() {
    if (this.#theirs && this.buffer === this.#theirs.text) this.#settle(this.#theirs.text, this.#theirs.version);
    else this.show();
  }

  // follow waits for changes by other programs. It repeats a request that was sent before a save
  // began, because the answer may be older than the save.
  async #follow() {
    let files = 0;
    while (!this.#gone) {
      const attempts = this.#attempts;
      try {
        const news = await this.engine.call('follow', { version: this.#theirs?.version ?? this.document.base, files });
        await this.#saves;
        if (attempts !== this.#attempts) continue;
        if (news.name !== this.name) return this.onStranger(news.name);
        if (news.files > files) this.onReload();
        files = news.files;
        this.#notice(news);
      } catch (error) {
        if (aborted(error)) return;
        if (error.status > 0) await new Promise((resolve) => setTimeout(resolve, RETRY));
        await this.engine.reachable();
      }
    }
  }

  // notice compares the text on disk with the buffer. A buffer with edits stays until the user decides.
  #notice({ text: raw, version }) {
    const disk = { text: normalized(raw), version, crlf: hasCRLF(raw) };
    if (version === this.document.base) {
      this.#differ(null);
    } else if (disk.text === this.buffer || this.#unanswered.includes(disk.text)) {
      this.#settle(disk.text, version);
    } else if (!this.modified && !(this.isOpen() && this.editor.inGesture)) {
      this.#take(disk);
      say(`${this.name} was changed by another program; the editor shows the new text.`);
    } else {
      this.#differ(disk);
    }
  }

  // take replaces the buffer and its base. The user can undo it.
  #take({ text, version, crlf }) {
    this.#crlf = crlf;
    this.document.text = text; // before the editor reports the change
    this.document.base = version;
    this.editor.replace(text, 'file');
    this.#settle(text, version);
  }

  #differ(theirs) {
    this.#theirs = theirs;
    this.show();
  }

  // compare shows both texts, and marks the lines that are not in both.
  #compare() {
    if (!this.#theirs || !this.isOpen() || byId('conflict').open) return;
    this.#compared = { mine: this.buffer, theirs: this.#theirs };
    const mine = this.buffer.split('\n'), theirs = this.#theirs.text.split('\n');
    const differs = differences(mine, theirs);
    byId('mine').replaceChildren(...marked(mine, differs.a));
    byId('theirs').replaceChildren(...marked(theirs, differs.b));
    byId('conflict').showModal();
    for (const box of [byId('mine'), byId('theirs')]) box.querySelector('mark')?.scrollIntoView({ block: 'center' });
  }

  // overwrite saves the user's side of the comparison over the version it was compared with.
  #overwrite() {
    const { mine, theirs } = this.#compared;
    this.#enqueue(() => this.#write(mine, theirs.version));
  }

  // adopt uses the text on disk. If the file has changed since the comparison, it uses the new text.
  #adopt() {
    const { theirs } = this.#compared, latest = this.#theirs;
    this.#take(theirs);
    if (latest && latest !== theirs) this.#take(latest);
  }
}

const hasCRLF = (text) => text.includes('\r\n');

// marked returns the text of lines as nodes: mark elements where they differ, others elsewhere.
function marked(lines, differs) {
  const parts = [];
  lines.forEach((line, i) => {
    if (i === 0 || differs[i] !== differs[i - 1]) parts.push(make(differs[i] ? 'mark' : 'span'));
    parts.at(-1).append(`${line}\n`);
  });
  return parts;
}
