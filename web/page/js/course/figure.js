// The figure of a chapter. The engine draws it for the width and the colors of the page, if a command of a lesson draws it;
// then its letters are readable at every width: a narrow figure shows only the plot. Other figures are pictures.
import { aborted } from '../failure.js';
import { imageOf, make } from '../dom.js';
import { isDark, onTheme } from '../theme.js';

const WHOLE = 900; // the width in pixels from which the letters of the whole diagram are readable: then the smallest have 12
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

  // picture shows the figure as the picture of the chapter.
  #picture(frame) {
    this.#replace(frame, make('img', { src: `figures/${frame.dataset.file}`, alt: this.#text }));
  }

  #replace(frame, image) {
    URL.revokeObjectURL(frame.firstChild?.src);
    frame.replaceChildren(image);
  }

  async #draw() {
    const frame = this.#frame, found = frame && this.#example(frame.dataset.file), shown = frame?.clientWidth;
    const dark = isDark(), look = `${shown} ${dark}`;
    if (!found || !shown || look === this.#drawn) return;
    this.#drawn = look;
    this.#current?.abort();
    const { signal } = this.#current = new AbortController();
    const { title: _, scene: __, figure: { kind }, ...body } = found;
    const isWhole = shown >= WHOLE;
    try {
      const { svg, alt } = await this.#engine.call('diagram', { ...body, kind, dark, shown: isWhole ? 0 : shown }, signal);
      if (!svg) {
        this.#picture(frame);
        return;
      }
      const image = await imageOf(svg);
      if (signal.aborted) {
        URL.revokeObjectURL(image.src);
        return;
      }
      image.alt = isWhole ? this.#text : alt;
      this.#replace(frame, image);
    } catch (error) {
      if (aborted(error)) return;
      this.#drawn = ''; // it is drawn the next time
      this.#picture(frame);
    }
  }
}
