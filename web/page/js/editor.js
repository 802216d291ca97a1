// The text editor: CodeMirror in a shadow root, because the page's policy allows its styles only there.
import {
  Decoration, EditorState, EditorView, StateEffect, StateField, basicSetup, isolateHistory, keymap,
  lintGutter, nextDiagnostic, redo, redoDepth, setDiagnostics, tooltips, undo, undoDepth,
} from '../vendor/codemirror.js';
import { assist } from './assist.js';
import { editorTheme } from './editor-theme.js';
import { lines } from './lines.js';
import { swatches } from './swatches.js';
import { toml } from './toml.js';

const chooseTable = StateEffect.define();

// normalized returns a text with \n as line ends, as in the editor.
export const normalized = (text) => text.replace(/\r\n?/g, '\n');

// chosen marks the lines of the table of the explained solid.
const chosen = StateField.define({
  create: () => Decoration.none,
  update(lines, transaction) {
    lines = lines.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(chooseTable)) lines = linesOf(transaction.state.doc, effect.value);
    return lines;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function linesOf(doc, range) {
  if (!range) return Decoration.none;
  const lines = [];
  for (let line = doc.lineAt(range.from); ; line = doc.line(line.number + 1)) {
    lines.push(Decoration.line({ class: 'cm-table' }).range(line.from));
    if (line.to >= range.to || line.number === doc.lines) return Decoration.set(lines);
  }
}

// step returns a transaction for edits that is one step of the undo history.
const step = (edits) => ({ changes: edits, annotations: isolateHistory.of('full'), userEvent: 'input.apply' });

// difference returns an edit that changes the text old to text.
function difference(old, text) {
  let from = 0, end = 0;
  const most = Math.min(old.length, text.length);
  while (from < most && old[from] === text[from]) from++;
  while (end < most - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  return { from, to: old.length - end, insert: text.slice(from, text.length - end) };
}

export class Editor {
  #view;
  #gesture = null;
  #still = null;     // the text after edits that moved no solid
  #key;              // of the visible document
  #left = new Map(); // the states of other documents, by key
  #selected = null;  // the table that was selected last
  #extensions;
  #onChange;

  // onChange(kind) is called after every change: 'edit', 'gesture' during one, 'open' of another
  // document. onCursor is called after every move of the cursor.
  constructor(host, { ask, onChange, onCursor }) {
    const root = host.attachShadow({ mode: 'open' });
    const inner = root.appendChild(document.createElement('div'));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':host, :host > div { display: block; height: 100% }');
    root.adoptedStyleSheets = [sheet];
    this.#extensions = [
      basicSetup, toml, editorTheme, lines, swatches, chosen, lintGutter(), assist(ask),
      tooltips({ parent: inner }),
      keymap.of([{ key: 'F8', run: nextDiagnostic }]),
      EditorView.contentAttributes.of({ 'aria-label': 'Scene, in TOML', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(this.#gesture ? 'gesture' : 'edit');
        if (update.docChanged || update.selectionSet) onCursor();
      }),
    ];
    this.#onChange = onChange;
    host.editor = this; // for tests and the browser's console
    this.#view = new EditorView({ state: this.#state(''), parent: inner, root });
  }

  #state(doc) { return EditorState.create({ doc, extensions: this.#extensions }); }

  get text() { return this.#view.state.doc.toString(); }

  get selection() { return this.#view.state.selection.main; }

  get cursor() { return this.selection.head; }

  // open shows another document. A document that was open before comes back with its text and its
  // history; a new one starts with the given text.
  open(key, text) {
    if (this.#key) this.#left.set(this.#key, this.#view.state);
    this.#key = key;
    this.#gesture = this.#selected = null;
    this.#view.setState(this.#left.get(key) ?? this.#state(text));
    this.#onChange('open');
  }

  // textOf returns the current text of a document; undefined if it was never opened.
  textOf(key) { return key === this.#key ? this.text : this.#left.get(key)?.doc.toString(); }

  // replace replaces the text of a document, by default of the visible one. It can be undone.
  replace(text, key = this.#key) {
    if (key === this.#key) return this.apply([difference(this.text, text)]);
    const state = this.#left.get(key);
    if (state) this.#left.set(key, state.update(step([difference(state.doc.toString(), text)])).state);
  }

  // apply applies edits as one step of the history.
  apply(edits) {
    if (edits.length) this.#view.dispatch(step(edits));
  }

  // A gesture applies edits to the text from its start; each edit replaces the previous one, and only
  // one step of the history remains. It returns {text}.
  beginGesture() { return (this.#gesture = { text: this.text, state: this.#view.state, shown: false }); }

  get inGesture() { return this.#gesture !== null; }

  // If still is true, the edits move no solid.
  showGesture(gesture, edits, still = false) {
    if (gesture !== this.#gesture) return; // it has ended, perhaps with its document
    const transactions = [];
    let { state } = this.#view;
    if (this.text !== gesture.text) {
      undo({
        state,
        dispatch: (undone) => {
          transactions.push(undone);
          state = undone.state;
        },
      });
    }
    if (edits.length) transactions.push(state.update(step(edits)));
    gesture.shown = true;
    if (transactions.length) this.#view.update(transactions); // together: the page changes once
    if (still) this.#still = this.text;
  }

  // holds reports whether a gesture is in progress, not canceled and not over.
  holds(gesture) { return gesture === this.#gesture; }

  // isStill reports whether the text shows the same solids as before the latest edit.
  get isStill() { return this.text === this.#still; }

  // cancelGesture restores the text and the history from the start of the gesture.
  cancelGesture(gesture) {
    if (!gesture || gesture !== this.#gesture) return;
    this.#gesture = null;
    if (!gesture.shown) return;
    if (this.isStill) this.#still = gesture.text;
    this.#view.setState(gesture.state);
    this.#onChange('edit');
  }

  endGesture(gesture = this.#gesture) {
    if (!gesture || gesture !== this.#gesture) return;
    this.#gesture = null;
    if (gesture.shown) this.#onChange('edit');
  }

  // select selects a table and scrolls to it, without changing the focus. Without a table it removes
  // the selection of a table.
  select(table) {
    const main = this.selection, old = this.#selected;
    this.mark(table);
    if (table) {
      const { from, to } = table;
      this.#selected = { from, to };
      this.#view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    } else if (old && main.from === old.from && main.to === old.to) {
      this.#view.dispatch({ selection: { anchor: main.from } });
    }
  }

  // mark marks the lines of a table; null removes the mark.
  mark(table) {
    this.#view.dispatch({ effects: chooseTable.of(table ?? null) });
  }

  // go moves the cursor to a position and focuses the editor.
  go(position) {
    this.#view.dispatch({ selection: { anchor: position }, effects: EditorView.scrollIntoView(position, { y: 'center' }) });
    this.#view.focus();
  }

  // show underlines the problems of a text, unless the editor's text has changed.
  show(text, problems) {
    if (text !== this.text) return;
    const diagnostics = problems.map((problem) => ({
      from: problem.from,
      to: problem.to,
      severity: problem.severity,
      message: problem.text || problem.message,
      actions: problem.fix ? [{ name: problem.fix.label, apply: () => this.fix(text, problem) }] : [],
    }));
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  // fix applies the edits that fix a problem of a text.
  fix(text, problem) {
    if (text !== this.text || !problem.fix) return;
    this.apply(problem.fix.edits);
    this.#view.focus();
  }

  get canUndo() { return undoDepth(this.#view.state) > 0; }

  get canRedo() { return redoDepth(this.#view.state) > 0; }

  undo() { undo(this.#view); }

  redo() { redo(this.#view); }

  focus() { this.#view.focus(); }
}
