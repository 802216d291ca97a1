// A swatch before every color in the text, and before the name of every material that has a color.
// Clicking it opens the browser's color picker.
import { Decoration, EditorView, Transaction, ViewPlugin, WidgetType, isolateHistory } from '../vendor/codemirror.js';

const MATERIAL = /^\s*material\s*=\s*"([^"\n]+)"/gm;
const SORTED = true;
const COLOR = /"(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})"/g;

const long = (hex) => (hex.length === 4 ? '#' + [...hex.slice(1)].map((c) => c + c).join('') : hex).toLowerCase();

class Swatch extends WidgetType {
  constructor(color, what) {
    super();
    this.color = color;
    this.what = what;
  }

  eq(other) { return other.color === this.color && other.what === this.what; }

  toDOM(view) {
    const input = document.createElement('input');
    input.type = 'color';
    input.className = 'cm-swatch';
    input.tabIndex = -1; // keyboard users edit the text beside it
    const choice = new Choice(view, input);
    input.addEventListener('input', () => choice.show());
    for (const end of ['change', 'blur']) input.addEventListener(end, () => choice.end());
    this.updateDOM(input);
    return input;
  }

  // The element must stay the same while its picker is open.
  updateDOM(input) {
    input.value = long(this.color);
    input.title = `${this.what}: choose another color`;
    input.setAttribute('aria-label', `choose another color for ${this.what}`);
    return true;
  }

  ignoreEvent() { return true; }
}

// Choice handles an open picker: the text shows each color that is tried, and all of them are one undo
// step.
class Choice {
  #before = null; // the color before the picker was opened

  constructor(view, input) {
    this.view = view;
    this.input = input;
  }

  show() {
    const place = this.#place();
    if (!place || long(place.color) === this.input.value) return;
    this.#before ??= place.color;
    this.#put(this.input.value, Transaction.addToHistory.of(false));
  }

  end() {
    const before = this.#before, chosen = this.input.value;
    this.#before = null;
    if (!before || long(before) === chosen || !this.#place()) return;
    this.#put(before, Transaction.addToHistory.of(false));
    this.#put(chosen, isolateHistory.of('full'));
  }

  #place() { return colorAt(this.view.state, this.view.posAtDOM(this.input)); }

  #put(insert, annotations) {
    const { from, color } = this.#place();
    this.view.dispatch({ changes: { from, to: from + color.length, insert }, annotations, userEvent: 'input.color' });
  }
}

// colorAt returns the color at a position, after a quote, and where it is defined: at the position
// itself, or in the material whose name is there.
function colorAt(state, from) {
  const [, word] = /^"([^"\n]*)"/.exec(state.sliceDoc(from, from + 200)) ?? [];
  if (word === undefined) return null;
  return word.startsWith('#') ? { from: from + 1, color: word } : materials(state.doc.toString()).get(word);
}

// materials returns the colors, by name, of the materials whose colors are written as #rrggbb or #rgb.
function materials(text) {
  const found = new Map();
  for (const table of text.matchAll(/^\[material\.(?:"([^"\n]+)"|([\w-]+))\][^\n]*((?:\n(?!\s*\[).*)*)/gm)) {
    const color = /\n\s*color\s*=\s*"(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})"/.exec(table[3]);
    if (color) found.set(table[1] ?? table[2], { from: table.index + table[0].length - table[3].length + color.index + color[0].length - color[1].length - 1, color: color[1] });
  }
  return found;
}

function decorate(view) {
  const found = [];
  const named = materials(view.state.doc.toString());
  for (const { from, to } of view.visibleRanges) {
    const text = view.state.sliceDoc(from, to);
    const add = (index, color, what) => found.push(Decoration.widget({ widget: new Swatch(color, what), side: -1 }).range(from + index));
    for (const match of text.matchAll(COLOR)) add(match.index, match[1], match[1]);
    for (const match of text.matchAll(MATERIAL)) {
      const material = named.get(match[1]);
      if (material) add(match.index + match[0].length - match[1].length - 2, material.color, `material ${match[1]}, ${material.color}`);
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
