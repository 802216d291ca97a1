// The right pane of the course: what became of the program, the verdict, the picture and the output.
import { make } from '../dom.js';

const DATA = /^( {2}(?:question|answer|expected) .*\n)/m; // lines of the report that are long
const RING = 3; // px around the first pixel that differs, in pixels of the canvas

export class Result {
  #host;
  #acts;
  #output;
  #status;
  #bar;

  // acts has go(line), next(), lesson(name), and add().
  constructor(host, acts) {
    this.#host = host;
    this.#acts = acts;
    this.clear();
  }

  // clear shows that nothing was graded yet.
  clear() {
    this.#begin('empty');
    this.#status.textContent = 'Run the program to see which answers are right.';
  }

  // begin shows that a program is running.
  begin() { this.#begin('running'); }

  #begin(state) {
    this.#host.dataset.state = state;
    this.#status = make('p', { role: 'status', id: 'course-status' });
    this.#bar = make('progress', { hidden: true, 'aria-label': 'Answered questions' });
    this.#output = make('pre', { tabIndex: 0, 'aria-label': 'Output of the program', hidden: true });
    this.trouble = make('div');
    this.body = make('div', { id: 'course-verdict' });
    this.drawing = make('div', { id: 'course-drawing' });
    this.#host.replaceChildren(this.#status, this.#bar, this.trouble, this.#output, this.drawing, this.body);
  }

  // progress shows what is being done.
  progress(text) {
    this.#status.textContent = text;
    this.#bar.hidden = true;
  }

  // count shows how many questions are answered.
  count(answered, total) {
    this.#bar.hidden = false;
    this.#bar.max = total;
    this.#bar.value = answered;
  }

  log(text, kind) {
    this.#output.hidden = false;
    this.#output.append(make('span', { className: kind === 'error' || kind === 'warn' ? 'bad' : '' }, `${text}\n`));
  }

  // failed shows why not all questions were answered. progress states how many were.
  failed({ kind, message, line }, progress) {
    this.#host.dataset.state = 'wrong';
    const where = line ? make('button', { type: 'button', id: 'course-go', onclick: () => this.#acts.go(line) }, `Go to line ${line}`) : null;
    const add = kind === 'missing' ? make('button', { type: 'button', onclick: () => this.#acts.add() }, 'Add it') : null;
    this.trouble.append(make('div', { className: 'trouble', role: 'alert' },
      make('p', {}, line ? `Line ${line}: ${message}` : message), progress ? make('p', { className: 'quiet' }, `${capital(progress)}.`) : null, where, add));
  }

  // verdict shows the report of the engine, which `render grade` also prints. derivation is the address of the playground
  // that derives the first wrong answer; '' for none. The names of mistakes also stand at the top, because the verdict is long.
  verdict(verdict, report, next, derivation) {
    this.#host.dataset.state = verdict.passed ? 'passed' : 'wrong';
    this.body.append(make('pre', { className: 'report', tabIndex: 0, 'aria-label': 'Verdict' }, ...report.flatMap((span) => this.#span(span))));
    const names = report.filter(({ look }) => look === 'name').map(({ text }) => text);
    if (names.length) this.trouble.append(make('p', { id: 'course-named' }, 'See below: ', make('span', { className: 'look-name' }, names.join('; ')), '.'));
    if (derivation) this.body.append(make('p', {}, make('a', { id: 'course-derive', href: derivation }, `Show question ${verdict.first.id} in the playground`), ', with every number of the right answer.'));
    if (verdict.passed && next) this.trouble.append(make('button', { type: 'button', className: 'primary', id: 'course-next', onclick: () => this.#acts.next() }, next));
  }

  #span({ text, look }) {
    if (look) return [make('span', { className: `look-${look}` }, text)];
    return text.split(DATA).flatMap((part, i) => (i % 2 ? [make('span', { className: 'data' }, part)] : this.#linked(part)));
  }

  // linked returns a text with links to the lessons that the page has.
  #linked(text) {
    return text.split(/(docs\/lessons\/[a-z]+\.md(?:#[\w-]+)?)/).map((piece) => {
      const name = piece.match(/^docs\/lessons\/([a-z]+)\.md/)?.[1];
      return name && this.#acts.lesson(name) ? make('a', { href: `#lesson=${name}` }, piece) : piece;
    });
  }

  // picture shows the picture of the answers beside the right one.
  picture({ width, height, got, want, first, report, magenta }) {
    const panel = (caption, pixels) => {
      const canvas = make('canvas', { width, height, role: 'img', 'aria-label': `${caption}, ${width} x ${height} pixels` });
      canvas.getContext('2d').putImageData(new ImageData(Uint8ClampedArray.from(atob(pixels), (c) => c.charCodeAt(0)), width, height), 0, 0);
      const frame = make('div', { className: 'panel' }, canvas);
      if (first) {
        const ring = make('span', { className: 'ring' });
        ring.style.left = `${(100 * (first.x + 0.5)) / width}%`;
        ring.style.top = `${(100 * (first.y + 0.5)) / height}%`;
        ring.style.width = `${(100 * 2 * RING) / width}%`;
        frame.append(ring);
      }
      return make('figure', {}, frame, make('figcaption', {}, caption));
    };
    this.#draw([panel(`Your program's picture${magenta ? ' (magenta: not a finite number)' : ''}`, got), panel('The right picture', want)],
      make('p', { id: 'course-pixels' }, capital(report.map(({ text }) => text).join('').trim())));
  }

  // note shows a text instead of the picture.
  note(text) {
    const empty = () => make('figure', {}, make('div', { className: 'panel empty' }), make('figcaption', {}, '\u00a0'));
    this.#draw([empty(), empty()], make('p', { className: 'quiet' }, text));
  }

  #draw(panels, text) { this.drawing.replaceChildren(make('h2', {}, 'The picture of the answers'), make('div', { className: 'panels' }, ...panels), text); }
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
