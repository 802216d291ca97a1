// The panel with the explanation: a summary, the solids involved, the diagram, and every step in
// folded sections.
import { aborted } from './failure.js';
import { byId, make } from './dom.js';
import { elements } from './blocks.js';
import { isDark } from './theme.js';

const KINDS = { camera: 'ray', mirror: 'mirror ray', light: 'reaches the light', blocked: 'blocked', ray: 'ray', segment: 'segment' };

export class Why {
  #engine;
  #session;
  #current;
  #onAnswer;
  #onSelect;
  #shown = null;     // the question whose answer is shown
  #open = new Set(); // sections that are unfolded

  // onAnswer receives every explanation, or null when the panel closes; onSelect receives a solid or
  // light whose table is to be selected.
  constructor(engine, session, { onAnswer, onSelect }) {
    this.#engine = engine;
    this.#session = session;
    this.#onAnswer = onAnswer;
    this.#onSelect = onSelect;
    byId('why-close').addEventListener('click', () => this.close());
    byId('enlarge').addEventListener('click', ({ currentTarget: button }) => {
      const figure = button.closest('figure');
      button.setAttribute('aria-expanded', String(figure.classList.toggle('large')));
      figure.scrollIntoView({ block: 'nearest' }); // it may have moved to another place
    });
  }

  // ask answers session.query for the current text. It returns the answer, or null if the request
  // failed or was replaced.
  async ask() {
    this.#current?.abort();
    const current = this.#current = new AbortController();
    const body = this.#session.body(this.#session.query);
    byId('why').dataset.state = 'answer';
    if (this.#shown !== this.#session.query) this.#blank();
    try {
      const answer = await this.#engine.call('explain', body, current.signal);
      this.#show(answer);
      this.#draw(body, current.signal);
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
    for (const id of ['why-solids', 'why-lights', 'brief', 'sections', 'legend']) byId(id).replaceChildren();
    byId('diagram').closest('figure').dataset.empty = 'true';
  }

  #show(answer) {
    this.#shown = this.#session.query;
    const color = answer.explanation.color?.srgb8;
    byId('why-chip').hidden = !color;
    if (color) byId('why-chip').style.backgroundColor = `rgb(${color.slice(0, 3).join(' ')})`;
    byId('why-title').textContent = title(this.#session.query);
    byId('why-solids').replaceChildren(...this.#solids(answer));
    byId('why-lights').replaceChildren(...this.#lights(answer));
    byId('brief').replaceChildren(...elements(answer.brief, 3));
    byId('sections').replaceChildren(...answer.sections.map((section) => this.#section(section)));
    legend(answer.path);
    this.#onAnswer(answer);
  }

  #solids({ explanation, solids }) {
    const hit = explanation.hit?.object;
    return solids.filter((solid) => solid.table || solid.placement).map((solid) => make('li', {}, make('button', {
      type: 'button', className: solid.object === hit ? 'solid hit' : 'solid', title: 'Show it in the text', onclick: () => this.#onSelect(solid),
    }, solid.label)));
  }

  // lights returns a line for each light: whether it reaches the visible point, and what blocks it.
  #lights({ explanation, solids, lights }) {
    const path = explanation.samples?.[0] ?? explanation;
    const label = (object) => solids.find((solid) => solid.object === object)?.label ?? 'a solid';
    return (path.lights ?? []).map(({ index, fate, cos, blocker }) => {
      const news = fate === 'arrives' ? `arrives, cosine ${Number(cos.toPrecision(3))}` : blocker ? `${fate} by ${label(blocker.object)}` : fate;
      const light = lights.find((l) => l.light === index);
      const name = light?.table ? make('button', { type: 'button', title: 'Show it in the text', onclick: () => this.#onSelect(light) }, light.label)
        : light?.label ?? `Light ${index}`;
      return make('li', { className: fate === 'arrives' ? 'is-light' : 'is-blocked' }, make('span', { className: 'dot' }), make('span', {}, name, `: ${news}`));
    });
  }

  #section({ name, title: heading, blocks }) {
    const details = make('details', { open: this.#open.has(name) }, make('summary', {}, heading), ...elements(blocks, 4));
    details.addEventListener('toggle', () => (details.open ? this.#open.add(name) : this.#open.delete(name)));
    return details;
  }

  // draw shows the diagram as an image, so that its content cannot run scripts.
  async #draw(body, signal) {
    const image = byId('diagram');
    const answer = await this.#engine.call('diagram', { ...body, dark: isDark() }, signal).catch(() => ({}));
    if (signal.aborted) return;
    image.closest('figure').dataset.empty = answer.svg ? '' : 'true';
    if (!answer.svg) return;
    const old = image.src;
    image.src = URL.createObjectURL(new Blob([answer.svg], { type: 'image/svg+xml' }));
    image.alt = 'Diagram of the ray and the solid that it hits';
    if (old.startsWith('blob:')) URL.revokeObjectURL(old);
  }
}

function title({ pixel, ray, segment, capsules }) {
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
