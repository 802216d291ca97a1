// A swatch before every colour in the text, which opens the browser's colour picker.
import { Decoration, EditorView, ViewPlugin, WidgetType } from '../vendor/codemirror.js';

const COLOUR = /"(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})"/g;

const long = (hex) => (hex.length === 4 ? '#' + [...hex.slice(1)].map((c) => c + c).join('') : hex).toLowerCase();

class Swatch extends WidgetType {
  constructor(colour) {
    super();
    this.colour = colour;
  }

  eq(other) { return other.colour === this.colour; }

  toDOM(view) {
    const input = document.createElement('input');
    input.type = 'color';
    input.className = 'cm-swatch';
    input.tabIndex = -1; // the text beside it is what the keyboard edits
    input.addEventListener('input', () => pick(view, input));
    this.updateDOM(input);
    return input;
  }

  // The input stays while its picker is open.
  updateDOM(input) {
    input.value = long(this.colour);
    input.title = `${this.colour}: choose another colour`;
    input.setAttribute('aria-label', `choose another colour than ${this.colour}`);
    return true;
  }

  ignoreEvent() { return true; }
}

function pick(view, input) {
  const from = view.posAtDOM(input);
  const found = /^"(#[0-9a-fA-F]+)"/.exec(view.state.sliceDoc(from, from + 9));
  if (!found || long(found[1]) === input.value) return;
  view.dispatch({ changes: { from: from + 1, to: from + 1 + found[1].length, insert: input.value }, userEvent: 'input.colour' });
}

function decorate(view) {
  const found = [];
  for (const { from, to } of view.visibleRanges) {
    for (const match of view.state.sliceDoc(from, to).matchAll(COLOUR)) {
      found.push(Decoration.widget({ widget: new Swatch(match[1]), side: -1 }).range(from + match.index));
    }
  }
  return Decoration.set(found);
}

export const swatches = ViewPlugin.fromClass(class {
  constructor(view) { this.decorations = decorate(view); }

  update(update) {
    if (update.docChanged || update.viewportChanged) this.decorations = decorate(update.view);
  }
}, { decorations: (plugin) => plugin.decorations });
