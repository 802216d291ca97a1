// The figure of a chapter. The engine draws it for the width and the colors of the page, if a command of a lesson draws it;
// then its letters are readable at every width. Other figures are pictures.
import { aborted } from '../failure.js';
import { imageOf, make } from '../dom.js';
import { isDark, onTheme } from '../theme.js';

const REST = 150; // ms without a change of the width after which the figure is drawn again

export class Figure {
  #engine;
  #example;     // of a lesson, with the numbers that the figure shows
  #text = '';
  #frame = null;
  #drawn = '';  // the width and the colors of the visible figure
  #current = null;
  #timer;
  #sizes;       // reports the width of the frame, at first too

  constructor(engine, example) {
    this.#engine = engine;
    this.#example = example;
    this.#sizes = new ResizeObserver(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#draw(), this.#drawn ? REST : 0);
    });
    onTheme(() => this.#draw());
  }

  // show returns the element of a figure: file is its name, and text describes it.
  show({ file, text }) {
    const address = `figures/${file}`, link = make('a', { href: address, target: '_blank' }, 'Show the figure alone');
    this.#text = text;
    this.#drawn = '';
    this.#frame = this.#example(file) ? make('div', { className: 'drawn' }) : make('div', {}, make('img', { src: address, alt: text }));
    this.#frame.dataset.file = file;
    this.#sizes.disconnect();
    this.#sizes.observe(this.#frame);
    return make('div', { className: 'figure' }, this.#frame, link);
  }

  async #draw() {
    const frame = this.#frame, found = frame && this.#example(frame.dataset.file), shown = frame?.clientWidth;
    const dark = isDark(), look = `${shown} ${dark}`;
    if (!found || !shown || look === this.#drawn) return;
    this.#drawn = look;
    this.#current?.abort();
    const { signal } = this.#current = new AbortController();
    const { title: _, scene: __, figure: { kind }, ...body } = found;
    try {
      const { svg } = await this.#engine.call('diagram', { ...body, kind, dark, shown }, signal);
      const image = await imageOf(svg);
      if (signal.aborted) return;
      image.alt = this.#text;
      URL.revokeObjectURL(frame.firstChild?.src);
      frame.replaceChildren(image);
    } catch (error) {
      if (!aborted(error)) frame.replaceChildren(make('img', { src: `figures/${frame.dataset.file}`, alt: this.#text }));
    }
  }
}
