// The text editor: CodeMirror in a shadow root, where it may keep its styles under a policy that
// forbids inline ones.
import {
  Decoration, EditorState, EditorView, StateEffect, StateField, basicSetup, isolateHistory, keymap,
  lintGutter, nextDiagnostic, redo, redoDepth, setDiagnostics, tooltips, undo, undoDepth,
} from '../vendor/codemirror.js';
import { assist } from './assist.js';
import { editorTheme } from './editor-theme.js';
import { swatches } from './swatches.js';
import { toml } from './toml.js';

const chooseTable = StateEffect.define();

// chosen is the table that belongs to the solid that was clicked.
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

export class Editor {
  #view;
  #base; // the text when a gesture began, while it lasts
  #key; // of the document
  #left = new Map(); // the states of others, by their keys
  #extensions;
  #onChange;

  // onChange(kind) is told of every change: 'edit', 'gesture' while one lasts, 'open' of another
  // text; onCursor of every move.
  constructor(host, { ask, onChange, onCursor }) {
    const root = host.attachShadow({ mode: 'open' });
    const inner = root.appendChild(document.createElement('div'));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':host, :host > div { display: block; height: 100% }');
    root.adoptedStyleSheets = [sheet];
    this.#extensions = [
      basicSetup, toml, editorTheme, swatches, chosen, lintGutter(), assist(ask),
      tooltips({ parent: inner }),
      keymap.of([{ key: 'F8', run: nextDiagnostic }]),
      EditorView.contentAttributes.of({ 'aria-label': 'Scene, in TOML', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(this.#base === undefined ? 'edit' : 'gesture');
        if (update.docChanged || update.selectionSet) onCursor();
      }),
    ];
    this.#onChange = onChange;
    host.editor = this; // for tests, and for the curious
    this.#view = new EditorView({ state: this.#state(''), parent: inner, root });
  }

  #state(doc) { return EditorState.create({ doc, extensions: this.#extensions }); }

  get text() { return this.#view.state.doc.toString(); }

  get cursor() { return this.#view.state.selection.main.head; }

  // open shows the text of another document, which begins as text; one that was open before comes
  // back as it was left, with its history.
  open(key, text) {
    if (this.#key) this.#left.set(this.#key, this.#view.state);
    this.#key = key;
    this.#base = undefined;
    this.#view.setState(this.#left.get(key) ?? this.#state(text));
    this.#onChange('open');
  }

  // replace changes the text to another one, a step that can be undone.
  replace(text) {
    const old = this.text;
    let from = 0, end = 0;
    const most = Math.min(old.length, text.length);
    while (from < most && old[from] === text[from]) from++;
    while (end < most - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
    this.apply([{ from, to: old.length - end, insert: text.slice(from, text.length - end) }]);
  }

  // apply makes edits, one step of the history.
  apply(edits) {
    if (edits.length) this.#view.dispatch({ changes: edits, annotations: isolateHistory.of('full'), userEvent: 'input.apply' });
  }

  // A gesture shows edits of the text as it was at its begin, each in place of the one before, and
  // leaves one step of the history: the others are undone.
  beginGesture() {
    this.#base = this.text;
    return this.#base;
  }

  get inGesture() { return this.#base !== undefined; }

  showGesture(edits) {
    if (this.#base === undefined) return;
    if (this.text !== this.#base) undo(this.#view);
    this.apply(edits);
  }

  endGesture() {
    if (this.#base === undefined) return;
    const changed = this.text !== this.#base;
    this.#base = undefined;
    if (changed) this.#onChange('edit');
  }

  // select selects a table and scrolls to it; the focus stays where it is.
  select(range) {
    const effects = [chooseTable.of(range)];
    if (!range) return this.#view.dispatch({ effects });
    effects.push(EditorView.scrollIntoView(range.from, { y: 'center' }));
    this.#view.dispatch({ selection: { anchor: range.from, head: range.to }, effects });
  }

  // go puts the cursor somewhere and the focus into the text.
  go(position) {
    this.#view.dispatch({ selection: { anchor: position }, effects: EditorView.scrollIntoView(position, { y: 'center' }) });
    this.#view.focus();
  }

  // show underlines what the engine has found in text; nothing, if the text is another by now.
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

  // fix makes the edits that a problem of text comes with.
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
