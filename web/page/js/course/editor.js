// The editor of the learner's program: CodeMirror in a shadow root, as for scenes.
import { EditorState, EditorView, basicSetup, isolateHistory, lintGutter, setDiagnostics, tooltips } from '../../vendor/codemirror.js';
import { editorTheme } from '../editor-theme.js';
import { javascript } from './javascript.js';
import { lines } from '../lines.js';

export class ProgramEditor {
  #view;

  // onChange is called after every change.
  constructor(host, text, onChange) {
    const root = host.attachShadow({ mode: 'open' });
    const inner = root.appendChild(document.createElement('div'));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':host, :host > div { display: block; height: 100% }');
    root.adoptedStyleSheets = [sheet];
    host.editor = this; // for tests and the browser's console
    this.#view = new EditorView({
      parent: inner, root,
      state: EditorState.create({
        doc: text,
        extensions: [
          basicSetup, javascript, editorTheme, lines, lintGutter(), tooltips({ parent: inner }),
          EditorView.contentAttributes.of({ 'aria-label': 'Program, in JavaScript', tabindex: '0' }),
          EditorView.updateListener.of((update) => { if (update.docChanged) onChange(); }),
        ],
      }),
    });
  }

  get text() { return this.#view.state.doc.toString(); }

  // replace replaces the text, as one step of the history.
  replace(text) {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text }, annotations: isolateHistory.of('full') });
  }

  // append adds a text at the end and moves the cursor there.
  append(text) {
    const end = this.#view.state.doc.length;
    this.#view.dispatch({ changes: { from: end, insert: text }, selection: { anchor: end + text.length }, scrollIntoView: true, annotations: isolateHistory.of('full') });
    this.#view.focus();
  }

  // mark underlines a line with a message; without one, it removes the mark.
  mark(line, message) {
    const marks = [];
    if (line) {
      const { from, to } = this.#view.state.doc.line(line);
      marks.push({ from, to, severity: 'error', message });
    }
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  // go moves the cursor to a line and focuses the editor.
  go(line) {
    const { from } = this.#view.state.doc.line(Math.min(line, this.#view.state.doc.lines));
    this.#view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    this.#view.focus();
  }
}
