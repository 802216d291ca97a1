// The left pane of the course: the task and the figure of a stage; then, one by one, hints, the formula and the solution.
import { make } from '../dom.js';
import { prose } from '../prose.js';

const HINTS = 3, ALL = HINTS + 2;
const NAMES = ['hint 1', 'hint 2', 'hint 3', 'the formula', 'the solution'];

export class Chapter {
  #host;
  #acts;

  // acts has revealed(stage), the number of parts that are shown already, reveal(stage, n), lesson(name), which
  // reports whether the page has a lesson, and figure, a Figure.
  constructor(host, acts) {
    this.#host = host;
    this.#acts = acts;
  }

  // show shows a stage; number is its place, from 1.
  show(found, number) {
    const stage = { ...found, isFirst: number === 1 };
    const parts = { example: () => null, link: (address) => this.#link(address) };
    const conventions = make('p', {}, ...here(stage.name));
    const questions = make('details', { id: 'course-protocol' }, make('summary', {}, 'The question and the answer'),
      conventions, ...prose(stage.protocol, parts));
    const steps = make('div', { id: 'course-steps' });
    this.#host.replaceChildren(
      make('h2', {}, `${stage.optional ? 'Optional' : `Stage ${number}`}: ${stage.title}`),
      ...prose(stage.task, parts), questions, this.#acts.figure.show(stage.figure), steps);
    this.#host.scrollTop = 0;
    this.#reveal(steps, stage, parts, this.#acts.revealed(stage.name));
  }

  // reveal shows the first n parts, and a button for the next.
  #reveal(host, stage, parts, n) {
    const shown = Array.from({ length: n }, (_, i) => this.#part(stage, i, parts));
    const next = n < ALL ? make('button', { type: 'button', id: 'course-reveal', onclick: () => {
      this.#acts.reveal(stage.name, n + 1);
      this.#reveal(host, stage, parts, n + 1);
      const added = host.children[n];
      added.tabIndex = -1;
      added.focus({ preventScroll: true });
      added.scrollIntoView({ block: 'nearest' });
    } }, `Show ${NAMES[n]}`) : null;
    host.replaceChildren(...shown, ...(next ? [next] : []));
  }

  #part(stage, i, parts) {
    if (i < HINTS) return make('section', { className: 'hint' }, make('h3', {}, `Hint ${i + 1}`), make('p', {}, stage.hints[i]));
    if (i === HINTS) return make('section', {}, ...prose(stage.formula, parts));
    return make('section', {}, make('h3', {}, 'The solution'),
      stage.isFirst ? null : make('p', {}, 'It uses functions of the solutions of earlier stages.'),
      make('pre', { tabIndex: 0 }, stage.solution));
  }

  #link(address) {
    if (address.startsWith('protocol.md')) return '#course-protocol';
    const name = address.match(/^\.\.\/lessons\/([a-z]+)\.md/)?.[1];
    return name && this.#acts.lesson(name) ? `#lesson=${name}` : null;
  }
}

// here describes what is different in the page.
function here(stage) {
  const code = (text) => make('code', {}, text);
  const text = ['In this page, ', code(`answer.${stage}`), ' gets the question and returns the answer, without ', code('id'), '.'];
  if (stage === 'mirror' || stage === 'picture') text.push(' There is no ', code('scene_file'), '.');
  if (stage === 'picture') text.push(' ', code('writePNG(png, width, height, pixels)'), ' writes the picture: red, green and blue of each pixel, row by row, from 0 to 255.');
  return text;
}
