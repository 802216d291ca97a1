// The panel with the explanation: the answer in a sentence, the contributions, the diagram, and every step in folded
// sections.
import { aborted } from './failure.js';
import { byId, imageOf, make, renew } from './dom.js';
import { elements } from './blocks.js';
import { isBlocked } from './marks.js';
import { equip, focusOf, heldKey } from './numberdrag.js';
import { bar, rows } from './shares.js';
import { swatch } from './swatch.js';
import { isDark } from './theme.js';
import { markers } from './symbols.js';
import { showAll } from './numbers.js';

const KINDS = { camera: 'camera ray', mirror: 'mirror ray', light: 'reaches the light', blocked: 'blocked', ray: 'ray', segment: 'segment' };
const DIAGRAMS = { // titles of kinds of diagrams
  solid: 'ray and solid', path: 'whole path', tree: 'search tree', light: 'angle of the light', camera: 'pixel and camera', disc: 'light, seen from the point', sky: 'sky, seen from the point',
};
const REST = 150; // ms without a change of the panel's width after which the diagram is drawn

export class Why {
  #engine;
  #session;
  #current;
  #onAnswer;
  #onSelect;
  #shown = null;     // the question whose answer is shown
  #open = new Set(); // sections that are unfolded
  #isGoal = false;   // the next answer is shown from its first unfolded section on
  #body = null;      // the fields of a request about the answer
  #drawn = 0;        // the width for which its diagram is drawn
  #wanted = 0;       // the width for which the next diagram is requested
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
    byId('sections').addEventListener('toggle', ({ target: { open, dataset } }) => {
      if (open) this.#open.add(dataset.section);
      else this.#open.delete(dataset.section);
    }, true);
    new ResizeObserver(() => this.#drawSoon()).observe(byId('why'));
  }

  // question returns the fields of a request for the answer to session.query and, if the panel is visible, its diagram.
  question() {
    const { query } = this.#session, shown = this.#wanted = this.#width();
    const asked = { ...query, keep: heldKey(byId('sections')) || undefined, trap: this.#session.mistake };
    if (shown) asked.diagram = { dark: isDark(), kind: query === this.#shown ? this.#kind : '', shown };
    return asked;
  }

  // unfold folds all sections of the next answer but those with the given names.
  unfold(names) {
    this.#open = new Set(names);
    this.#isGoal = true;
  }

  // reach scrolls the panel to the first section that unfold has unfolded, or to the answer.
  reach() {
    const first = this.#isGoal && byId('sections').querySelector('details[open]');
    this.#isGoal = false;
    byId('why').scrollTop = 0;
    if (first) first.scrollIntoView({ block: 'nearest' });
  }

  // prepare returns an answer with the image of its diagram, decoded.
  async prepare(answer) {
    if (answer.diagram?.svg) answer.image = await imageOf(answer.diagram.svg);
    return answer;
  }

  // ask answers session.query for the current text. It returns the answer, or null if the request
  // failed or was replaced.
  async ask() {
    this.#current?.abort();
    const { signal } = this.#current = new AbortController();
    byId('why').dataset.state = 'answer';
    if (this.#shown !== this.#session.query) this.#blank();
    try {
      const answer = await this.prepare(await this.#engine.call('explain', this.#session.body(this.question()), signal));
      if (signal.aborted) return null;
      this.#present(answer);
      return answer;
    } catch (error) {
      if (!aborted(error)) this.#refuse(error);
      return null;
    }
  }

  // take shows an answer to session.query that came with a picture. It returns false if it is {error}.
  take(answer) {
    this.#current?.abort();
    this.#current = new AbortController();
    byId('why').dataset.state = 'answer';
    if (answer.error) this.#refuse(answer.error);
    else this.#present(answer);
    return !answer.error;
  }

  // wait shows why the answer is missing. A previous answer to the same question stays.
  wait(reason) {
    if (!this.#session.query) return;
    byId('why-waiting').textContent = reason;
    if (this.#shown !== this.#session.query) byId('why').dataset.state = 'waiting';
  }

  // keep makes the answer to the next question replace that to the current one without an empty panel between them.
  keep(query) {
    this.#shown = query;
    byId('why-title').textContent = title(query);
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
    this.#kind = '';
    byId('why-chip').hidden = true;
    byId('why-title').textContent = title(this.#session.query);
    for (const id of ['why-solids', 'why-lights', 'shares', 'brief', 'sections', 'legend']) byId(id).replaceChildren();
    byId('diagram').closest('figure').dataset.empty = 'true';
  }

  #present(answer) {
    this.#body = this.#session.body(this.#session.query);
    this.#onAnswer(answer); // before the panel changes, so that its layout is not computed twice
    this.#show(answer);
    this.#drawn = 0;
    if (answer.diagram) this.#place(answer.diagram, answer.image, this.#wanted); // measured before the panel changed: another layout takes time
    else this.#draw(this.#current.signal);
  }

  #show(answer) {
    this.#shown = this.#session.query;
    const { color } = answer;
    byId('why-chip').hidden = !color;
    if (color) byId('why-chip').style.backgroundColor = `rgb(${color.join(' ')})`;
    this.#warn(answer);
    byId('steer-hint').hidden = !(this.#shown.ray ?? this.#shown.segment);
    byId('why-solids').replaceChildren(...this.#solids(answer));
    const parts = answer.intro.find(({ type }) => type === 'shares')?.parts ?? [];
    byId('shares').replaceChildren(...bar(parts));
    byId('why-lights').replaceChildren(...rows(parts, this.#lights(answer)));
    const values = new Map(); // of the symbols that all sections may use
    byId('brief').replaceChildren(...elements(answer.intro.filter(({ type }) => type !== 'shares'), 3, values));
    const refocus = focusOf(byId('sections'));
    const held = this.#held(answer.sections);
    const sections = make('div', {}, ...answer.sections.map((section, i) => this.#section(section, section === held, i + 1, new Map(values))));
    equip(sections);
    renew(byId('sections'), sections);
    refocus();
    legend(answer.path);
  }

  // warn says in the title and below it that the right picture is explained, if the visible picture has a mistake.
  #warn({ mistaken }) {
    const { query, mistake } = this.#session;
    byId('why-title').textContent = mistake ? `${title(query)} in the right picture` : title(query);
    byId('why-mistaken').hidden = !mistake;
    byId('why-mistaken').replaceChildren(...(mistake ? both(mistaken) : []));
  }

  #solids({ hit, solids }) {
    return solids.filter((solid) => solid.table || solid.placement).map((solid) => make('li', {}, make('button', {
      type: 'button', className: solid.object === hit ? 'solid hit' : 'solid', title: 'Show it in the text', onclick: () => this.#onSelect(solid),
    }, solid.label)));
  }

  // lights describes each light at the visible point: whether it arrives, and what blocks it.
  #lights({ solids, lights, path }) {
    const label = (object) => solids.find((solid) => solid.object === object)?.label ?? 'a solid';
    return lights.map((light) => ({
      index: light.light,
      element: light.table ? make('button', { type: 'button', title: 'Show it in the text', onclick: () => this.#onSelect(light) }, light.label) : light.label,
      ray: path.find((ray) => ray.light === light.light && ray.depth === 0)?.name ?? '',
      fate: light.blocker >= 0 ? `${light.fate} by ${label(light.blocker)}` : light.fate,
      arrives: !['blocked', 'enclosed', 'faces away', 'outside its cone'].includes(light.fate),
    }));
  }

  // held returns the section that must be open because it has the number that is dragged or has the focus.
  #held(sections) {
    const key = heldKey(byId('sections'));
    const having = key ? sections.filter(({ blocks }) => blocks.some(({ steps }) => steps?.some((step) => step.key === key))) : [];
    return having.some(({ name }) => this.#open.has(name)) ? null : having[0];
  }

  #section({ name, title: heading, ray, blocks }, isHeld, number, values) {
    const details = make('details', { open: isHeld || this.#open.has(name) },
      make('summary', {}, make('span', { className: 'count', 'aria-hidden': 'true' }, String(number)), heading));
    if (details.open || !this.#session.live) details.append(...elements(blocks, 3, values)); // folded sections follow after the drag
    if (ray) details.dataset.ray = ray;
    details.dataset.section = name;
    return details;
  }

  // width returns the width of the diagram, which is that of the steps; 0 if the panel is not visible.
  #width() { return byId('sections').clientWidth; }

  // draw draws the diagram for the width of the panel.
  async #draw(signal) {
    const shown = this.#width();
    if (!shown || shown === this.#drawn) return;
    this.#drawn = shown;
    const answer = await this.#diagram({ shown }, signal);
    const image = answer?.svg && await imageOf(answer.svg);
    if (answer && !signal.aborted) this.#place(answer, image, shown);
  }

  // place shows a diagram that was drawn for a width.
  #place({ svg, alt, labels, kind, kinds }, image, width) {
    const old = byId('diagram'), figure = old.closest('figure');
    this.#drawn = width;
    figure.dataset.empty = svg ? '' : 'true';
    if (!svg) return;
    image.id = old.id;
    image.alt = alt;
    byId('diagram-frame').replaceChildren(image, ...markers(labels));
    URL.revokeObjectURL(old.src);
    byId('diagram-kind-field').hidden = !(kinds?.length > 1);
    const list = byId('diagram-kind');
    if (kinds?.join() !== [...list.options].map(({ value }) => value).join()) {
      list.replaceChildren(...(kinds ?? []).map((value) => make('option', { value }, DIAGRAMS[value] ?? value)));
    }
    list.value = kind;
  }

  // drawSoon draws the diagram when the panel has the same width for a moment.
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
    const image = await imageOf(answer.svg), old = byId('diagram-whole');
    Object.assign(image, { id: old.id, alt: answer.alt });
    old.replaceWith(image);
    URL.revokeObjectURL(old.src);
    byId('diagram-head').textContent = title(this.#session.query);
    byId('diagram-dialog').showModal();
  }
}

// both states the colors of a pixel with and without the mistake of the visible picture, and why they differ.
function both(mistaken) {
  if (!mistaken) return [make('p', {}, 'The picture has a mistake. The explanation is about the right renderer.')];
  const { color, right, why } = mistaken;
  if (!why) return [make('p', {}, 'The mistake does not change this pixel: it is ', swatch(right), ' in both pictures.')];
  return [
    make('p', {}, 'You see ', swatch(color), ', with the mistake. In the right picture, the pixel is ', swatch(right), '. The explanation is about the right picture.'),
    make('p', {}, make('strong', {}, 'What the mistake changes: '), why),
  ];
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
    .map((segment) => (isBlocked(segment) ? 'blocked' : segment.kind)));
  byId('legend').replaceChildren(...[...kinds].map((kind) => make('li', {}, make('span', { className: `line is-${kind}` }), KINDS[kind] ?? kind)));
}
