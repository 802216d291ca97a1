// The left pane of a lesson: its page, with its questions, beside the scene's text, which is one tab away.
import { byId, make } from './dom.js';
import { showPane } from './panes.js';
import { card } from './predict.js';
import { prose } from './prose.js';
import { title } from './why.js';

const TABS = { lesson: ['lesson'], scene: ['editor', 'foot'] };

export class Lesson {
  #shown = '';     // the name of the lesson that is shown
  #example = null; // the number of the example that is open
  #loading;        // resolves when the page of the lesson is shown
  #acts;

  // acts has these functions: page(name) requests the page of a lesson. open(key) opens an example. has(name) reports
  // whether the page has a lesson. predict(example, prediction, choice) sends a request to the engine. pick() resolves
  // with the solid that is clicked next. preview(example, {line, isOver}) shows its pixel and the line of its ray; with
  // isOver, it replaces the rays of an explanation until preview(example, null). reveal(key, prediction, result) opens the scene and the explanation that a question is about.
  constructor(acts) {
    this.#acts = acts;
    for (const tab of Object.keys(TABS)) byId(`tab-${tab}`).addEventListener('click', () => this.#turn(tab));
  }

  // show shows the page of a lesson, null for none, and marks the example that is open, null for none.
  show(lesson, n) {
    byId('lesson-tabs').hidden = !lesson;
    byId('tab-text').textContent = lesson ? 'Lesson and scene' : 'Text';
    this.#example = n;
    if ((lesson?.name ?? '') !== this.#shown) {
      this.#shown = lesson?.name ?? '';
      byId('lesson').replaceChildren();
      this.#turn(lesson ? 'lesson' : 'scene');
      if (lesson) {
        showPane('text'); // in narrow windows the explanation of another scene may be in front
        this.#loading = this.#load(lesson);
      }
    }
    this.#mark();
  }

  // load shows the page of a lesson when it arrives, unless another lesson was opened meanwhile.
  async #load(lesson) {
    const page = await this.#acts.page(lesson.name).then((answer) => this.#page(lesson, answer), ({ message }) => [make('p', { role: 'alert' }, message)]);
    if (this.#shown !== lesson.name) return;
    byId('lesson').replaceChildren(...page);
    byId('lesson').scrollTop = 0;
    this.#mark();
  }

  // missing shows the list of lessons instead of a lesson that does not exist.
  async missing(name, list) {
    this.show(list, null);
    await this.#loading;
    if (this.#shown === list.name) byId('lesson').prepend(make('p', { className: 'missing', role: 'alert' }, `There is no lesson \u201c${name}\u201d. These are the lessons:`));
  }

  // mark marks the example that is open.
  #mark() {
    for (const button of byId('lesson').querySelectorAll('[data-example]')) {
      button.setAttribute('aria-pressed', String(Number(button.dataset.example) === this.#example));
    }
  }

  // turn shows one of the tabs.
  #turn(tab) {
    for (const [name, ids] of Object.entries(TABS)) {
      byId(`tab-${name}`).setAttribute('aria-pressed', String(name === tab));
      for (const id of ids) byId(id).hidden = name !== tab;
    }
  }

  #page(lesson, { blocks, questions: asked }) {
    const key = (n) => `lesson:${lesson.name}:${n}`;
    const example = (n) => {
      const button = make('button', { type: 'button', className: 'example', 'aria-pressed': 'false', onclick: () => this.#acts.open(key(n)) }, titleOf(lesson.examples[n]));
      button.dataset.example = n;
      return button;
    };
    const link = (address) => {
      if (address.startsWith('../course/')) return '#course';
      const [, name] = address.match(/^([A-Za-z-]+)\.md(?:#.*)?$/) ?? [];
      return name && this.#acts.has(name) ? `#lesson=${name}` : null;
    };
    const [heading, ...rest] = prose(blocks, { example, link });
    const questions = asked.map(({ example: n, prediction }, i) => card(i + 1, subjectOf(lesson.examples[n]), {
      request: (choice) => this.#acts.predict(lesson.examples[n], prediction, choice),
      pick: () => this.#acts.pick(),
      preview: (shown) => this.#acts.preview(lesson.examples[n], shown),
      isFirst: i === 0,
      reveal: (result) => this.#acts.reveal(key(n), prediction, result),
      turn: lesson.examples[n].trap ? null : () => showPane('why'), // a mistake shows in the picture
    }));
    if (questions.length === 0) return [heading, ...rest];
    return [heading, make('details', { className: 'predictions', open: true }, make('summary', {}, 'Predict first'), ...questions), ...rest];
  }
}

// subjectOf returns what a question about an example is about.
const subjectOf = (example) => (example.trap ? example.title : title(example));

// titleOf returns the title of an example.
const titleOf = (example) => (example.trap ? 'Show a scene with this mistake' : title(example));
