// A swatch before every colour in the text, and before the name of every material that has one: it
// opens the browser's colour picker.
import { Decoration, EditorView, Transaction, ViewPlugin, WidgetType, isolateHistory } from '../vendor/codemirror.js';

const MATERIAL = /^\s*material\s*=\s*"([^"\n]+)"/gm;
const SORTED = true;
const COLOUR = /"(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})"/g;

const long = (hex) => (hex.length === 4 ? '#' + [...hex.slice(1)].map((c) => c + c).join('') : hex).toLowerCase();

class Swatch extends WidgetType {
  constructor(colour, what) {
    super();
    this.colour = colour;
    this.what = what;
  }

  eq(other) { return other.colour === this.colour && other.what === this.what; }

  toDOM(view) {
    const input = document.createElement('input');
    input.type = 'color';
    input.className = 'cm-swatch';
    input.tabIndex = -1; // the text beside it is what the keyboard edits
    const choice = new Choice(view, input);
    input.addEventListener('input', () => choice.show());
    for (const end of ['change', 'blur']) input.addEventListener(end, () => choice.end());
    this.updateDOM(input);
    return input;
  }

  // The input stays while its picker is open.
  updateDOM(input) {
    input.value = long(this.colour);
    input.title = `${this.what}: choose another colour`;
    input.setAttribute('aria-label', `choose another colour for ${this.what}`);
    return true;
  }

  ignoreEvent() { return true; }
}

// Choice is what happens while a picker is open: the text shows every colour that is tried, and the
// last is one step to undo.
class Choice {
  #before = null; // the colour that the text had

  constructor(view, input) {
    this.view = view;
    this.input = input;
  }

  show() {
    const place = this.#place();
    if (!place || long(place.colour) === this.input.value) return;
    this.#before ??= place.colour;
    this.#put(this.input.value, Transaction.addToHistory.of(false));
  }

  end() {
    const before = this.#before, chosen = this.input.value;
    this.#before = null;
    if (!before || long(before) === chosen || !this.#place()) return;
    this.#put(before, Transaction.addToHistory.of(false));
    this.#put(chosen, isolateHistory.of('full'));
  }

  #place() { return colourAt(this.view.state, this.view.posAtDOM(this.input)); }

  #put(insert, annotations) {
    const { from, colour } = this.#place();
    this.view.dispatch({ changes: { from, to: from + colour.length, insert }, annotations, userEvent: 'input.colour' });
  }
}

// colourAt returns the colour behind the quote at a position, and where it stands: there, or in the
// material that has its name there.
function colourAt(state, from) {
  const [, word] = /^"([^"\n]*)"/.exec(state.sliceDoc(from, from + 200)) ?? [];
  if (word === undefined) return null;
  return word.startsWith('#') ? { from: from + 1, colour: word } : materials(state.doc.toString()).get(word);
}

// materials returns the colours of materials that are written as #rrggbb or #rgb, by name.
function materials(text) {
  const found = new Map();
  for (const table of text.matchAll(/^\[material\.(?:"([^"\n]+)"|([\w-]+))\][^\n]*((?:\n(?!\s*\[).*)*)/gm)) {
    const colour = /\n\s*color\s*=\s*"(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})"/.exec(table[3]);
    if (colour) found.set(table[1] ?? table[2], { from: table.index + table[0].length - table[3].length + colour.index + colour[0].length - colour[1].length - 1, colour: colour[1] });
  }
  return found;
}

function decorate(view) {
  const found = [];
  const named = materials(view.state.doc.toString());
  for (const { from, to } of view.visibleRanges) {
    const text = view.state.sliceDoc(from, to);
    const add = (index, colour, what) => found.push(Decoration.widget({ widget: new Swatch(colour, what), side: -1 }).range(from + index));
    for (const match of text.matchAll(COLOUR)) add(match.index, match[1], match[1]);
    for (const match of text.matchAll(MATERIAL)) {
      const material = named.get(match[1]);
      if (material) add(match.index + match[0].length - match[1].length - 2, material.colour, `material ${match[1]}, ${material.colour}`);
    }
  }
  return Decoration.set(found, SORTED);
}

export const swatches = ViewPlugin.fromClass(class {
  constructor(view) { this.decorations = decorate(view); }

  update(update) {
    if (update.docChanged || update.viewportChanged) this.decorations = decorate(update.view);
  }
}, { decorations: (plugin) => plugin.decorations });
