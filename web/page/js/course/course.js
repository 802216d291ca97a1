// The course in the page: the chapter of a stage, the learner's program, and the verdict about its answers.
import { Chapter } from './chapter.js';
import { FIRST, exported, has, opened, stub } from './program.js';
import { PATIENCE, run } from './runner.js';
import { Figure } from './figure.js';
import { derivation } from './derivation.js';
import { ProgramEditor } from './editor.js';
import { Result } from './result.js';
import { aborted } from '../failure.js';
import { byId, make, say } from '../dom.js';
import { download } from '../download.js';
import { siteStore } from '../storage.js';

const TEXT = 'pillbox-course-program', PROGRESS = 'pillbox-course-progress';
const FILE = 'tracer.mjs';
const PAUSE = 800; // ms without an edit after which the program runs again, if the reader wants that
const PANES = { chapter: 'Task', program: 'Program', result: 'Result' };

export class Course {
  #engine;
  #stages;
  #stage;
  #editor;
  #chapter;
  #result;
  #running = null;  // the AbortController of the run in progress
  #kept = '';       // the stored text
  #warned = false;  // the browser does not store the text, and the page has said so
  #settings = {};   // of the address: timeout, seed and count
  #again = null;    // the timer of the next run without a click
  #progress = { revealed: {}, passed: {} };

  constructor(engine, stages, scenes) {
    const lesson = (name) => Boolean(scenes.lesson(name));
    this.#engine = engine;
    this.#stages = stages;
    try {
      Object.assign(this.#progress, JSON.parse(siteStore.read(PROGRESS)));
    } catch {
      // damaged: begin anew
    }
    this.#build();
    this.#kept = siteStore.read(TEXT) ?? FIRST;
    this.#editor = new ProgramEditor(byId('course-editor'), this.#kept, () => this.#edited());
    this.#chapter = new Chapter(byId('course-chapter'), {
      revealed: (stage) => this.#progress.revealed[stage] ?? 0,
      reveal: (stage, n) => {
        this.#progress.revealed[stage] = n;
        this.#keepProgress();
      },
      lesson,
      figure: new Figure(engine, (file) => scenes.drawing(file)),
    });
    this.#result = new Result(byId('course-result'), {
      go: (line) => {
        this.#turn('program');
        this.#editor.go(line);
      },
      next: () => { location.hash = `course=${this.#after()?.name}`; },
      add: () => this.#add(),
      lesson,
    });
    addEventListener('storage', ({ key, newValue }) => { // edited in another tab
      if (key !== TEXT || newValue === null || this.#editor.text !== this.#kept) return;
      this.#kept = newValue;
      this.#editor.replace(newValue);
    });
    byId('course').addEventListener('click', (event) => {
      if (!event.target.closest?.('a[href="#course-protocol"]')) return;
      event.preventDefault();
      byId('course-protocol').open = true;
      byId('course-protocol').querySelector('summary').focus();
    });
    addEventListener('keydown', (event) => this.#key(event), { capture: true });
  }

  // key handles the keys of the course. It comes before the keys of the workbench, which is hidden.
  #key(event) {
    if (document.body.dataset.place !== 'course' || (!event.ctrlKey && !event.metaKey)) return;
    const key = event.key.toLowerCase();
    const act = { enter: () => this.run(), s: () => this.#export(), z: () => {} }[key];
    if (!act || (key === 'z' && event.target.id === 'course-editor')) return; // the editor undoes its own edits
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  #build() {
    const options = this.#stages.map(({ name, title }, i) => make('option', { value: name }, `${i + 1}. ${title}`));
    const tabs = Object.entries(PANES).map(([pane, label]) => make('button', { type: 'button', id: `course-tab-${pane}`, onclick: () => this.#turn(pane) }, label));
    const file = make('input', { type: 'file', id: 'course-file', accept: '.mjs,.js,text/javascript', hidden: true, onchange: () => this.#open(file) });
    byId('course').replaceChildren(
      make('div', { id: 'course-bar' },
        make('label', { className: 'field' }, make('span', {}, 'Stage'), make('select', { id: 'course-stage', onchange: (event) => { location.hash = `course=${event.target.value}`; } }, ...options)),
        make('span', { id: 'course-count' }), make('span', { className: 'gap' }),
        make('span', { className: 'group', role: 'group', 'aria-label': 'File' },
          make('button', { type: 'button', id: 'course-open-file', title: 'Open a program', onclick: () => file.click() }, 'Open'),
          make('button', { type: 'button', id: 'course-export', title: 'Download the program for render grade (Ctrl+S)', onclick: () => this.#export() }, 'Export')),
        file,
        make('label', { className: 'field', title: 'Another number gives other questions of the same kind, as with render grade --seed' }, make('span', {}, 'Seed'),
          make('input', { type: 'number', id: 'course-seed', min: 0, step: 1, onchange: ({ target }) => this.#reseed(target.value) })),
        make('label', { className: 'field', title: 'Run the program at every pause of typing' }, make('input', { type: 'checkbox', id: 'course-watch', onchange: () => this.#watch() }), make('span', {}, 'Run as I type')),
        make('button', { type: 'button', id: 'course-run', className: 'primary', title: 'Run the program and grade its answers (Ctrl+Enter)', onclick: () => (this.#running ? this.#running.abort() : this.run()) }, 'Run')),
      make('nav', { id: 'course-tabs', 'aria-label': 'Parts of the course' }, ...tabs),
      make('div', { id: 'course-panes' },
        make('article', { id: 'course-chapter', tabIndex: 0, 'aria-label': 'Task' }),
        make('section', { id: 'course-program', 'aria-label': 'Program' }, make('div', { id: 'course-editor' }),
          make('p', { id: 'course-missing', role: 'status' })),
        make('section', { id: 'course-result', tabIndex: 0, 'aria-label': 'Result' })));
    this.#turn('chapter');
  }

  // show shows a stage; without a name, the one that was shown last or, at first, the first that is not passed. settings are texts: timeout, in seconds, seed, and
  // count, the number of questions.
  show(name, { timeout, seed, count }) {
    if (!name && this.#stage) { // back from the playground: the stage and its result stay
      document.title = `${this.#stage.title} – Pillbox`;
      return;
    }
    const whole = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0);
    this.#settings = { patience: Number(timeout) > 0 ? Number(timeout) : PATIENCE, seed: whole(seed), count: whole(count) };
    byId('course-seed').value = this.#settings.seed;
    const found = this.#stages.find((stage) => stage.name === name);
    const next = found ?? this.#stages.find((stage) => !this.#progress.passed[stage.name]) ?? this.#stages[0];
    if (name && !found) say(`The course has no stage ${name}.`, 'bad');
    document.title = `${next.title} – Pillbox`;
    if (next === this.#stage) return;
    this.#running?.abort();
    this.#stage = next;
    byId('course-stage').value = next.name;
    this.#chapter.show(next, this.#stages.indexOf(next) + 1);
    this.#result.clear();
    this.#editor.mark(null);
    this.#turn('chapter');
    this.#showMissing();
    this.#showPassed();
  }

  // reseed chooses other questions. The address follows.
  #reseed(seed) {
    const link = new URLSearchParams(location.hash.slice(1));
    link.set('course', this.#stage.name);
    link.set('seed', seed);
    location.hash = link;
  }

  // watch runs the program at the next pause of typing, if the reader wants that.
  #watch() {
    clearTimeout(this.#again);
    if (!byId('course-watch').checked) return;
    this.#again = setTimeout(async () => {
      this.#running?.abort();
      while (this.#running) await new Promise((resolve) => setTimeout(resolve, PAUSE / 10));
      if (byId('course-watch').checked && document.body.dataset.place === 'course') this.run(false);
    }, PAUSE);
  }

  // turn shows one pane; in wide windows, all are visible.
  #turn(pane) {
    byId('course').dataset.pane = pane;
    for (const name of Object.keys(PANES)) byId(`course-tab-${name}`).setAttribute('aria-pressed', String(name === pane));
  }

  #after() { return this.#stages[this.#stages.indexOf(this.#stage) + 1]; }

  #edited() {
    this.#showMissing();
    this.#watch();
    const { text } = this.#editor;
    if (text === this.#kept) return;
    if (siteStore.write(TEXT, text)) this.#kept = text;
    else if (!this.#warned) {
      this.#warned = true;
      say('The browser does not store your program: a reload would lose it. Export it.', 'bad');
    }
  }

  #keepProgress() { siteStore.write(PROGRESS, JSON.stringify(this.#progress)); }

  #showPassed() {
    const { passed } = this.#progress;
    this.#stages.forEach(({ name, title }, i) => { byId('course-stage').options[i].textContent = `${i + 1}. ${title}${passed[name] ? ' ✓' : ''}`; });
    byId('course-count').textContent = `${this.#stages.filter(({ name }) => passed[name]).length} of ${this.#stages.length} passed`;
  }

  // showMissing offers to add the function for the stage if the program seems to have none.
  #showMissing() {
    const isMissing = this.#stage && !has(this.#editor.text, this.#stage.name);
    const line = byId('course-missing');
    line.hidden = !isMissing;
    if (!isMissing || line.dataset.stage === this.#stage.name) return;
    line.dataset.stage = this.#stage.name;
    line.replaceChildren('The program has no ', make('code', {}, `answer.${this.#stage.name}`), ' yet. ',
      make('button', { type: 'button', id: 'course-add', onclick: () => this.#add() }, 'Add a beginning'));
  }

  #add() {
    this.#turn('program');
    const { text } = this.#editor;
    this.#editor.append(`${text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'}${stub(this.#stage.name)}`);
  }

  #export() { download(new Blob([exported(this.#editor.text)], { type: 'text/javascript' }), FILE); }

  async #open(input) {
    const [file] = input.files;
    input.value = '';
    if (!file) return;
    this.#editor.replace(opened(await file.text()));
    this.#turn('program');
    say('Opened. Undo brings your program back.');
  }

  // run runs the program on the questions of the stage, and then on the questions of the stage's picture. If turn is
  // false, a narrow window keeps the pane that it shows.
  async run(turn = true) {
    if (this.#running) return;
    const stage = this.#stage, program = this.#editor.text, result = this.#result;
    const control = this.#running = new AbortController();
    byId('course-run').textContent = 'Stop';
    this.#editor.mark(null);
    if (turn) this.#turn('result');
    result.begin();
    try {
      await this.#grade(stage, program, control.signal);
    } catch (error) {
      if (!aborted(error)) result.failed({ message: error.message });
    } finally {
      if (this.#running === control) this.#running = null;
      byId('course-run').textContent = 'Run';
      byId('course-result').dataset.done = stage.name;
    }
  }

  async #grade(stage, program, signal) {
    const result = this.#result, { patience, seed, count } = this.#settings;
    const sit = (canvas, onProgress, onLog) => run(program, stage.name, {
      signal, patience, onProgress, onLog,
      ask: (from) => this.#engine.call('course/questions', { stage: stage.name, seed, count, canvas, from }, signal),
    });
    delete byId('course-result').dataset.done;
    result.progress('The program is running …');
    const { answers, pictures, failure } = await sit(false, (n, total) => result.count(n, total), (text, kind) => result.log(text, kind));
    if (stage !== this.#stage) return;
    if (failure?.line) this.#editor.mark(failure.line, failure.message);
    if (['missing', 'syntax', 'engine'].includes(failure?.kind)) {
      result.progress('The program was not graded.');
      result.failed(failure);
      return;
    }
    result.progress('The answers are being judged …');
    const { verdict, report, trouble, progress } = await this.#engine.call('course/grade', { stage: stage.name, seed, count, answers, pictures });
    if (stage !== this.#stage) return;
    if (failure || trouble) result.failed(failure ?? { message: trouble }, progress);
    if (verdict.first || !failure) result.verdict(verdict, report, this.#after() && 'Next stage', await derivation(verdict.first));
    result.progress(verdict.passed ? 'Passed.' : 'Not passed.');
    if (verdict.passed && !count) {
      this.#progress.passed[stage.name] = true;
      this.#keepProgress();
      this.#showPassed();
    }
    await this.#draw(stage, sit, signal);
  }

  // draw runs the program on the questions of the stage's picture, and shows it.
  async #draw(stage, sit, signal) {
    if (signal.aborted) return;
    this.#result.note('The picture of the answers is being made …');
    const { answers, pictures } = await sit(true, () => {}, () => {});
    if (stage !== this.#stage || signal.aborted) {
      if (signal.aborted) this.#result.note('You stopped the program.');
      return;
    }
    this.#result.picture(await this.#engine.call('course/picture', { stage: stage.name, answers, pictures }));
  }
}

// openCourse loads the stages and returns the course. scenes is the list of scenes and lessons.
export async function openCourse(engine, scenes) {
  const { stages } = await engine.call('course/stages', {});
  return new Course(engine, stages, scenes);
}
