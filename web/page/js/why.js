// The panel with the explanation: the answer in a sentence, the contributions, the diagram, and every step in folded
// sections.
import { aborted } from './failure.js';
import { byId, make, renew } from './dom.js';
import { elements } from './blocks.js';
import { equip, focusOf } from './drag.js';
import { bar, rows } from './shares.js';
import { isDark } from './theme.js';
import { markers } from './symbols.js';
import { showAll } from './numbers.js';

const KINDS = { camera: 'camera ray', mirror: 'mirror ray', light: 'reaches the light', blocked: 'blocked', ray: 'ray', segment: 'segment' };
const DIAGRAMS = { // titles of kinds of diagrams
  solid: 'ray and solid', path: 'whole path', tree: 'search tree', light: 'angle of the light', camera: 'pixel and camera', disc: 'light, seen from the point', sky: 'sky, seen from the point',
};
const REST = 150; // ms without a change of the panel's width, or of the answer during a drag, after which the diagram is drawn

export class Why {
  #engine;
  #session;
  #current;
  #onAnswer;
  #onSelect;
  #shown = null;     // the question whose answer is shown
  #open = new Set(); // sections that are unfolded
  #early = null;     // the request for the next answer
  #body = null;      // of the request that is answered
  #drawn = 0;        // the width for which its diagram is drawn
  #kind = '';        // the kind of diagram that the reader chose; '' for one that suits the answer

  // onAnswer receives every explanation, or null when the panel closes; onSelect receives a solid or
  // light whose table is to be selected.
  constructor(engine, session, { onAnswer, onSelect }) {
    this.#engine = engine;
    this.#session = session;
    this.#onAnswer = onAnswer;
    this.#onSelect = onSelect;
    byId('why-close').addEventListener('click', () => this.close());
    byId('digits').addEventListener('change', ({ target }) => showAll(byId('why'), target.checked));
    byId('diagram-kind').addEventListener('change', ({ target }) => {
      this.#kind = target.value;
      this.#drawn = 0;
      this.#redraw();
    });
    for (const id of ['enlarge', 'diagram-frame']) byId(id).addEventListener('click', () => this.#enlarge());
    new ResizeObserver(() => this.#drawSoon()).observe(byId('why'));
  }

  // request requests the answer to session.query for the current text. ask shows it later.
  request() {
    this.#current?.abort();
    const current = this.#current = new AbortController();
    const body = this.#session.body(this.#session.query);
    const answer = this.#engine.call('explain', body, current.signal);
    answer.catch(() => {}); // ask reports it
    return (this.#early = { current, query: this.#session.query, body, answer });
  }

  // ask answers session.query for the current text. It returns the answer, or null if the request
  // failed or was replaced.
  async ask() {
    const early = this.#early;
    const isAsked = early && early.current === this.#current && early.query === this.#session.query && early.body.text === this.#session.editor.text;
    const { current, body, answer: coming } = isAsked ? early : this.request();
    this.#early = null;
    byId('why').dataset.state = 'answer';
    if (this.#shown !== this.#session.query) {
      this.#kind = '';
      this.#blank();
    }
    try {
      const answer = await coming;
      this.#show(answer);
      this.#body = body;
      this.#drawn = 0;
      if (this.#session.live) this.#drawSoon();
      else this.#draw(current.signal);
      return answer;
    } catch (error) {
      if (!aborted(error)) this.#refuse(error);
      return null;
    }
  }

  // wait shows why the answer is missing. A previous answer to the same question stays.
  wait(reason) {
    if (!this.#session.query) return;
    byId('why-waiting').textContent = reason;
    if (this.#shown !== this.#session.query) byId('why').dataset.state = 'waiting';
  }

  close() {
    this.#current?.abort();
    this.#session.query = this.#shown = null;
    byId('why').dataset.state = 'empty';
    this.#onAnswer(null);
  }

  // refuse shows why there is no answer, including errors of the text.
  #refuse(error) {
    this.#shown = null;
    this.wait(error.message);
  }

  // blank removes the answer to another question.
  #blank() {
    byId('why-chip').hidden = true;
    byId('why-title').textContent = title(this.#session.query);
    for (const id of ['why-solids', 'why-lights', 'shares', 'brief', 'sections', 'legend']) byId(id).replaceChildren();
    byId('diagram').closest('figure').dataset.empty = 'true';
  }

  #show(answer) {
    this.#shown = this.#session.query;
    const color = answer.explanation.color?.srgb8;
    byId('why-chip').hidden = !color;
    if (color) byId('why-chip').style.backgroundColor = `rgb(${color.slice(0, 3).join(' ')})`;
    byId('why-title').textContent = title(this.#session.query);
    byId('why-solids').replaceChildren(...this.#solids(answer));
    const parts = answer.intro.find(({ type }) => type === 'shares')?.parts ?? [];
    byId('shares').replaceChildren(...bar(parts));
    byId('why-lights').replaceChildren(...rows(parts, this.#lights(answer)));
    const values = new Map(); // of the symbols that all sections may use
    byId('brief').replaceChildren(...elements(answer.intro.filter(({ type }) => type !== 'shares'), 3, values));
    const refocus = focusOf(byId('sections'));
    const sections = make('div', {}, ...answer.sections.map((section, i) => this.#section(section, i + 1, new Map(values))));
    equip(sections);
    renew(byId('sections'), sections);
    refocus();
    legend(answer.path);
    this.#onAnswer(answer);
  }

  #solids({ explanation, solids }) {
    const hit = explanation.hit?.object;
    return solids.filter((solid) => solid.table || solid.placement).map((solid) => make('li', {}, make('button', {
      type: 'button', className: solid.object === hit ? 'solid hit' : 'solid', title: 'Show it in the text', onclick: () => this.#onSelect(solid),
    }, solid.label)));
  }

  // lights describes each light at the visible point: whether it arrives, and what blocks it.
  #lights({ explanation, solids, lights, path }) {
    const first = explanation.samples?.[0] ?? explanation;
    const label = (object) => solids.find((solid) => solid.object === object)?.label ?? 'a solid';
    return (first.lights ?? []).map(({ index, fate, blocker }) => {
      const light = lights.find((l) => l.light === index);
      return {
        index,
        element: light?.table ? make('button', { type: 'button', title: 'Show it in the text', onclick: () => this.#onSelect(light) }, light.label)
          : light?.label ?? `Light ${index}`,
        ray: path.find((ray) => ray.light === index && ray.depth === 0)?.name ?? '',
        fate: blocker ? `${fate} by ${label(blocker.object)}` : fate,
        arrives: !['blocked', 'enclosed', 'faces away', 'outside its cone'].includes(fate),
      };
    });
  }

  #section({ name, title: heading, ray, blocks }, number, values) {
    const details = make('details', { open: this.#open.has(name) },
      make('summary', {}, make('span', { className: 'count', 'aria-hidden': 'true' }, String(number)), heading));
    if (details.open || !this.#session.live) details.append(...elements(blocks, 3, values)); // folded sections follow after the drag
    if (ray) details.dataset.ray = ray;
    details.addEventListener('toggle', () => (details.open ? this.#open.add(name) : this.#open.delete(name)));
    return details;
  }

  // draw shows the diagram, drawn for the width of the panel.
  async #draw(signal) {
    const image = byId('diagram'), figure = image.closest('figure');
    const shown = Math.round(figure.clientWidth);
    if (!shown || shown === this.#drawn) return;
    this.#drawn = shown;
    const answer = await this.#diagram({ shown }, signal);
    if (!answer) return;
    figure.dataset.empty = answer.svg ? '' : 'true';
    if (!answer.svg) return;
    show(image, answer);
    byId('diagram-frame').replaceChildren(image, ...markers(answer.labels));
    const kinds = answer.kinds ?? [];
    byId('diagram-kind-field').hidden = kinds.length < 2;
    byId('diagram-kind').replaceChildren(...kinds.map((kind) => make('option', { value: kind, selected: kind === answer.kind }, DIAGRAMS[kind] ?? kind)));
  }

  // drawSoon draws the diagram when the panel has the same width and answer for a moment.
  #drawSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#redraw(), REST);
  }

  // redraw draws the diagram again for the current width of the panel.
  #redraw() {
    if (this.#shown && this.#body) this.#draw(this.#current.signal);
  }

  // diagram returns the diagram of the answer, and null if the request was replaced.
  async #diagram(more, signal) {
    const answer = await this.#engine.call('diagram', { ...this.#body, dark: isDark(), kind: this.#kind, ...more }, signal).catch(() => ({}));
    return signal.aborted ? null : answer;
  }

  // enlarge shows the whole diagram in a dialog.
  async #enlarge() {
    const answer = await this.#diagram({}, this.#current.signal);
    if (!answer?.svg) return;
    show(byId('diagram-whole'), answer);
    byId('diagram-head').textContent = title(this.#session.query);
    byId('diagram-dialog').showModal();
  }
}

// show shows a diagram as an image, so that its content cannot run scripts.
function show(image, { svg, alt }) {
  const old = image.src;
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  image.alt = alt;
  if (old.startsWith('blob:')) URL.revokeObjectURL(old);
}

// title returns a title for a query.
export function title({ pixel, ray, segment, capsules }) {
  if (pixel) return `Pixel ${pixel.join(', ')}`;
  if (capsules) return capsules.join(' and ');
  const numbers = ray ?? segment;
  return `${ray ? 'Ray' : 'Segment'} (${numbers.slice(0, 3).join(', ')}) ${ray ? 'along' : 'to'} (${numbers.slice(3).join(', ')})`;
}

function legend(path) {
  const kinds = new Set(path.filter(({ from, to }) => Math.hypot(to[0] - from[0], to[1] - from[1]) > 0.5)
    .map(({ kind, fate }) => (fate === 'blocked' ? 'blocked' : kind)));
  byId('legend').replaceChildren(...[...kinds].map((kind) => make('li', {}, make('span', { className: `line is-${kind}` }), KINDS[kind] ?? kind)));
}
