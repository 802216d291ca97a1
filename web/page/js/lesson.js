// The left pane of a lesson: its page, with its questions, beside the scene's text, which is one tab away.
import { byId, make } from './dom.js';
import { card } from './predict.js';
import { prose } from './prose.js';
import { title } from './why.js';

const TABS = { lesson: ['lesson'], scene: ['editor', 'foot'] };

export class Lesson {
  #shown = ''; // the name of the lesson that is shown
  #acts;

  // acts has these functions: open(key) opens an example. has(name) reports whether a lesson has examples.
  // predict(example, prediction, choice) sends a request to the engine. pick() resolves with the solid that is clicked
  // next. preview(example) shows the beginning of its ray; null hides it.
  constructor(acts) {
    this.#acts = acts;
    for (const tab of Object.keys(TABS)) byId(`tab-${tab}`).addEventListener('click', () => this.#turn(tab));
  }

  // show shows the page of a lesson, null for none, and marks the example that is open, null for none.
  show(lesson, n) {
    byId('lesson-tabs').hidden = !lesson;
    byId('tab-text').textContent = lesson ? 'Lesson' : 'Text';
    if (lesson?.name !== this.#shown) {
      this.#shown = lesson?.name ?? '';
      byId('lesson').replaceChildren(...(lesson ? this.#page(lesson) : []));
      byId('lesson').scrollTop = 0;
      this.#turn(lesson ? 'lesson' : 'scene');
    }
    for (const button of byId('lesson').querySelectorAll('[data-example]')) {
      button.setAttribute('aria-pressed', String(Number(button.dataset.example) === n));
    }
  }

  // turn shows one of the tabs.
  #turn(tab) {
    for (const [name, ids] of Object.entries(TABS)) {
      byId(`tab-${name}`).setAttribute('aria-pressed', String(name === tab));
      for (const id of ids) byId(id).hidden = name !== tab;
    }
  }

  #page(lesson) {
    const key = (n) => `lesson:${lesson.name}:${n}`;
    const example = (n) => {
      const button = make('button', { type: 'button', className: 'example', 'aria-pressed': 'false', onclick: () => this.#acts.open(key(n)) }, title(lesson.examples[n]));
      button.dataset.example = n;
      return button;
    };
    const link = (address) => {
      const [, name] = address.match(/^([a-z]+)\.md$/) ?? [];
      return name && this.#acts.has(name) ? `#lesson=${name}` : null;
    };
    const [heading, ...rest] = prose(lesson.blocks, { example, link });
    const questions = lesson.questions.map(({ example: n, prediction }, i) => card(i + 1, title(lesson.examples[n]), {
      request: (choice) => this.#acts.predict(lesson.examples[n], prediction, choice),
      pick: () => this.#acts.pick(),
      preview: (yes) => this.#acts.preview(yes ? lesson.examples[n] : null),
      reveal: () => this.#acts.open(key(n)),
    }));
    return [heading, make('details', { className: 'predictions', open: true }, make('summary', {}, 'Predict first'), ...questions), ...rest];
  }
}
