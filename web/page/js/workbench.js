// The workbench connects the parts of the page: a change in one updates the others.
import { Editor, normalized } from './editor.js';
import { Failure, aborted } from './failure.js';
import { Gallery } from './gallery.js';
import { Gesture } from './gesture.js';
import { Labels } from './labels.js';
import { Latest } from './latest.js';
import { Lesson } from './lesson.js';
import { Marks, isBlocked } from './marks.js';
import { Outside } from './outside.js';
import { Picture } from './picture.js';
import { Pointer } from './pointer.js';
import { Readout } from './readout.js';
import { Renderer } from './renderer.js';
import { Scenes } from './scenes.js';
import { ServedFile } from './file.js';
import { Session } from './session.js';
import { Timeline } from './timeline.js';
import { Traps } from './traps.js';
import { Why } from './why.js';
import { rounded, seconds } from './units.js';
import { byId, rest, say } from './dom.js';
import { initNumberDrag } from './numberdrag.js';
import { clearProblems, showHelp, showProblems } from './problems.js';
import { download } from './download.js';
import { draftOf, keepDraft } from './draft.js';
import { initPanes, showPane } from './panes.js';
import { initShare } from './share.js';
import { initSplitter } from './splitter.js';
import { Emphasis, initMarkers } from './symbols.js';
import { initTheme } from './theme.js';
import { initViews } from './views.js';
import { png } from './png.js';
import { showLegend, showNames } from './legend.js';
import { suggest } from './suggest.js';
import { write } from './link.js';

const PATIENCE = 250;    // ms to wait for the first part of a picture before a newer one replaces it
const BUSY = 800;        // ms after which to repeat a request that the server was too busy for
const REFINE = 120;      // ms without movement after which a coarse picture of a drag is refined
const COARSE = 160 * 90; // a coarse picture has about this many squares
const QUICK = 12, SLOW = 30; // if a coarse picture takes fewer or more ms, the next has smaller or larger squares
const HELP_DELAY = 200;  // ms without cursor movement after which the key is explained
const LAST = 'The picture is the last one without errors.';
const NONE = 'There is no picture yet: the text has errors.';
const CHECKING = 'The text is being checked.';
const WRONG = 'The text has errors. Fix them to see why the pixel has its color.';
const COMING = 'The explanation follows the picture.';
const LOST = 'The server does not answer.';

export class Workbench {
  #answer = null;    // the explanation of the visible picture
  #asked = null;     // the question of the last answer
  #hit = null;       // the label of the solid that the ray hits
  #isLost = false;   // the server does not answer
  #generation = 0;   // number of pictures that have begun
  #asking = 0;       // the generation of the current question
  #ids = null;       // the solid that each pixel shows, computed on demand
  #coarse = null;    // resolves when a part of the current picture is visible
  #starting = null;  // resolves when the next picture begins
  #isStepping = false; // a step of a gesture is in progress
  #isOwed = false;     // a picture was put off until the gesture has ended
  #detail = 1;       // number of squares of a coarse picture, as a multiple of COARSE
  #refining;         // the timer of the next refinement
  #finished = Promise.resolve(); // the picture in progress
  #pointed = '';     // the ray under the pointer
  #pick = null;      // a function that gets the solid that is clicked next, which is then not explained
  #previewed = null; // the question that was pointed at last: its text, pixel and line
  #pictured = '';      // the key of the document whose picture is visible
  #unkept = new Set(); // keys of documents with edits that the browser did not store

  // about and list are the engine's answers to the requests start and scenes.
  constructor(engine, about, list) {
    this.engine = engine;
    this.about = about;
    this.list = list;
    const stage = byId('stage');
    this.picture = new Picture(byId('picture'), (share) => stage.style.setProperty('--progress', share));
    this.marks = new Marks(byId('outlines'), byId('rays'));
    this.renderer = new Renderer(engine, this.picture);
    this.checks = new Latest();
    this.helps = new Latest();
    this.suggestions = new Latest();
    this.readout = new Readout((pixel, signal) => this.#probe(pixel, signal));
    this.editor = new Editor(byId('editor'), {
      ask: (name, body, signal) => engine.call(name, body, signal),
      onChange: (kind) => this.#changed(kind),
      onCursor: () => this.#help(),
    });
    this.session = new Session(this.editor);
    this.timeline = new Timeline((time, moving) => this.#setTime(time, moving));
    this.why = new Why(engine, this.session, { onAnswer: (answer) => this.#mark(answer), onSelect: (solid) => this.#select(solid) });
    this.emphasis = new Emphasis([byId('lesson'), byId('why')], (name) => this.#light(name));
    new ResizeObserver(() => this.#drawMarks(this.session.query?.pixel ?? null)).observe(stage); // the labels keep their size
    this.outside = new Outside(engine, this.session, (segment) => labelOf(segment, this.#answer));
    const step = (edits, name, more) => this.#step(edits, { [name]: more }), onEnd = () => this.#renderOwed();
    initNumberDrag(byId('sections'), () => new Gesture(this.session, step, { onEnd, live: true }));
    this.labels = new Labels(engine, this.session, this.picture, {
      begin: () => new Gesture(this.session, (edits, name, more) => this.#edit(edits, name, more), { still: true }),
      select: (label) => this.#select(label),
    });
    this.pointer = new Pointer(this.picture, {
      begin: () => new Gesture(this.session, step, { onEnd }),
      why: (pixel) => (this.#pick ? this.#picked(pixel) : this.ask({ pixel })),
      hover: (pixel) => {
        this.readout.point(pixel);
        this.#pointAtRay(this.marks.near(pixel));
      },
      leave: () => {
        this.readout.point(this.pointer.crosshair);
        this.#pointAtRay('');
      },
      nextRay: () => this.#nextRay(),
      crosshair: (pixel) => this.#drawMarks(pixel),
      steerable: (point) => (this.#answer && (this.session.query?.ray || this.session.query?.segment) ? this.marks.partAt(point) : null),
      steer: (drag, from, to) => this.#steer(drag, from, to),
      grab: async (pixel) => (this.session.valid ? (await this.#probe(pixel))?.object ?? -1 : -1),
    });
  }

  begin(link) {
    initTheme(() => this.#ask());
    initSplitter();
    initPanes();
    initMarkers(byId('diagram-frame'));
    initShare(this.session);
    initViews(this.about.views, (view) => {
      this.session.view = view;
      this.traps.allow(view === 'color');
      this.#render();
    });
    this.traps = new Traps(this.about.traps, {
      onChange: (name) => {
        this.session.trap = name;
        this.#render();
      },
      onScene: async ({ name, title, scene }) => {
        history.pushState(null, '', location.pathname + location.search + await write(scene, {}));
        this.scenes.openText(scene, title);
        this.traps.choose(name);
        this.session.trap = name;
      },
    });
    this.#downloads();
    this.#keys();
    showHelp(null);
    this.engine.watch?.({ onLost: () => this.#lost(), onBack: (about) => this.#back(about), onRefused: (message) => serverNews(message) });
    byId('server-reload').addEventListener('click', () => location.reload());
    if (this.about.file) {
      this.file = new ServedFile(this.engine, this.editor, this.about.file, {
        isOpen: () => this.session.document.key === 'file',
        onReload: () => { if (this.session.document.file) this.#check(); },
        onStranger: (name) => this.#stranger(name),
      });
    }
    this.lesson = new Lesson({
      page: (name) => this.engine.call('lesson', { name }),
      open: (key) => this.scenes.choose(key),
      has: (name) => Boolean(this.scenes.lesson(name)),
      predict: ({ title: _, scene: __, trap: ___, figure: ____, ...body }, prediction, choice) => this.engine.call('predict', { ...body, prediction, choice }),
      pick: () => new Promise((resolve) => { this.#pick = resolve; }),
      preview: (example, shown) => this.#preview(example, shown),
      reveal: (key, prediction, result) => this.#reveal(key, prediction, result),
    });
    new Gallery(this.list, (body, listener, signal) => this.engine.render(body, listener, signal), (key) => this.scenes.choose(key));
    this.scenes = new Scenes(this.list, this.file, (found) => this.#open(found), (lesson, n) => this.lesson.show(lesson, n));
    this.open(link);
  }

  // open opens the scene or lesson of a link.
  open(link) {
    const found = link.scene ? this.scenes.open(`scene:${link.scene}`)
      : link.lesson ? this.scenes.open(link.example === undefined ? `lesson:${link.lesson}` : `lesson:${link.lesson}:${link.example}`)
        : link.text ? (this.scenes.openText(link.text, 'Shared scene'), true)
          : this.scenes.open(this.scenes.first);
    if (!found && link.lesson && this.#openLesson(link)) return;
    if (link.broken || !found) {
      say('The link is damaged, or leads to a scene that does not exist.', 'bad');
      if (!this.session.document.key) this.scenes.open(this.scenes.first);
    }
    if (link.view && this.about.views.some(({ name }) => name === link.view)) {
      byId('view').value = this.session.view = link.view;
      this.traps.allow(link.view === 'color');
    }
    if (link.time !== undefined) {
      this.session.time = link.time;
      this.timeline.reset(link.time);
    }
    if (link.query) {
      this.session.query = link.query;
      showPane('why');
    }
  }

  // openLesson opens the closest match of a link to a lesson or example that does not exist, and says so. It returns false if there is none.
  #openLesson({ lesson: name, example }) {
    const lesson = this.scenes.lesson(name), index = this.scenes.lesson('README');
    if (lesson) {
      say(`The lesson \u201c${lesson.title}\u201d has no example ${example}.`, 'bad');
      return this.scenes.open(`lesson:${name}`);
    }
    if (!index || !this.scenes.open('lesson:README')) return false;
    this.lesson.missing(name, index);
    return true;
  }

  #open({ document: opened, query = null, size = {}, trap = '' }) {
    const { session } = this;
    this.#pick = this.#previewed = null;
    session.blocked = CHECKING; // nothing is asked until the text is shown
    this.pointer.reset();
    this.editor.endGesture(); // while the session still has the document of the gesture
    this.timeline.reset();
    session.document = opened;
    session.size = size;
    session.time = undefined;
    session.moving = false;
    session.trap = trap;
    this.traps.choose(trap);
    this.labels.clear();
    this.why.close();
    session.query = query;
    this.why.wait(COMING);
    this.readout.point(null);
    this.editor.open(opened.key, opened.text);
    this.#restore(opened);
    document.title = `${opened.name} – Pillbox`;
  }

  // restore brings back the edits made before the page was reloaded. If the document has changed
  // since, undo shows the new text; for a file, the user chooses.
  #restore(opened) {
    const draft = draftOf(opened);
    if (!draft || this.session.modified || normalized(draft.text) === opened.text) return;
    this.editor.replace(draft.text);
    if (draft.base === opened.base) return;
    if (opened.file) {
      this.file.rebase(draft.base);
      this.#keep();
    } else say('Your edits are back, but this scene has changed since you made them. Undo shows the scene as it is now.');
  }

  // preview shows the pixel of a question over the picture, and the whole line of its ray: where the ray ends would
  // answer the question. It waits for the picture. Another picture or text removes the line. With isOver, it replaces the
  // rays of an explanation until preview(example, null).
  #preview({ text, pixel, segment }, shown) {
    if (!shown) {
      if (this.#answer) {
        this.#previewed = null;
        this.#drawMarks(this.session.query?.pixel ?? null);
      }
      return;
    }
    this.#previewed = { text: normalized(text), pixel, line: shown.line, isOver: shown.isOver, kind: segment ? 'segment' : 'ray' };
    this.#drawPreview();
  }

  // reveal opens the scene and the explanation that an answered question is about.
  #reveal(key, { set }, { supposed = '', solid = '', sections = [] }) {
    this.why.unfold(sections);
    this.scenes.suppose(key, supposed, solid);
    if (supposed) say(`The scene is changed as the question supposes: ${set.map(({ key, value }) => `${key} = ${JSON.stringify(value)}`).join(', ')}.`);
  }

  #drawPreview() {
    const { text, pixel, line, kind, isOver } = this.#previewed ?? {};
    if ((this.#answer || this.session.query) && !isOver) return;
    if (text !== this.editor.text || byId('stage').dataset.state !== 'whole') return;
    this.marks.path(line ? [{ ...line, kind }] : [], pixel ?? null, this.picture, () => (kind === 'ray' ? 'the ray of the question' : ''));
  }

  // picked passes the solid at a pixel to the question that waits for a click.
  async #picked(pixel) {
    const pick = this.#pick;
    this.#pick = null;
    pick((await this.#probe(pixel))?.object ?? -1);
  }

  // ask explains a pixel, and selects the table of the solid that it shows.
  async ask(query) {
    this.session.query = query;
    this.readout.point(query.pixel ?? null);
    this.#forget();
    showPane('why');
    await this.#ask();
  }

  // steer drags a part of the ray or segment that is explained. The explanation follows; steps that are overtaken are skipped.
  #steer(drag, from, to) {
    const { session } = this;
    drag.query ??= session.query; // at the start of the drag
    drag.to = { from, to };
    drag.ready ??= (async () => {
      for (let wanted; (wanted = drag.to) && session.valid; ) {
        drag.to = null;
        const { solid: _, ...body } = drag.query;
        const query = { ...drag.query, ...await this.engine.call('steer', session.body({ ...body, part: drag.part, ...wanted })) };
        session.query = this.#asked = query;
        this.why.keep(query);
        await this.#ask();
      }
    })().catch((error) => { if (!aborted(error)) say(error.message, 'bad'); }).finally(() => { drag.ready = null; });
  }

  async #ask() {
    const { query } = this.session;
    if (!query || (this.session.moving && !this.session.live)) return;
    if (!this.session.valid) {
      this.why.wait(this.session.blocked);
      return;
    }
    this.#asking = this.#generation;
    const answer = await this.why.ask();
    if (answer && query === this.session.query && this.#isCurrent()) this.#met(answer);
  }

  // met selects what an answer's ray hits.
  #met({ solids, hit }) {
    const solid = solids.find(({ object }) => object === hit) ?? null;
    if (this.session.query !== this.#asked) {
      this.#asked = this.session.query;
      this.why.reach();
      this.#select(solid);
    } else if (solid?.label !== this.#hit) {
      this.editor.mark(tableOf(solid)); // the text changed, and the pixel shows something else
    }
    this.#hit = solid?.label;
  }

  // isCurrent reports whether an answer that arrives now is about the visible picture and the current
  // text.
  #isCurrent() { return this.#asking === this.#generation && this.session.valid && (!this.session.moving || this.session.live); }

  #select(solid) {
    if (this.session.valid) this.editor.select(tableOf(solid));
    else say(this.session.blocked); // the position is in an older text
  }

  // changed reacts to a change of the text. kind is 'edit', 'gesture', or 'open' for another document.
  #changed(kind) {
    if (!this.session) return;
    byId('undo').disabled = !this.editor.canUndo;
    byId('redo').disabled = !this.editor.canRedo;
    if (this.session.document.file) this.file.edited();
    else this.file?.show();
    if (kind === 'gesture') { // the engine made these edits, so they need no check
      if (!this.session.dragging) this.#render(); // otherwise they came with their picture
      return;
    }
    if (kind === 'edit') this.#keep();
    if (kind === 'open') {
      clearProblems();
      this.#help();
    }
    this.#status('waiting');
    if (kind === 'open' && this.session.isShipped) { // it has no errors, so its picture does not wait for the check
      this.session.blocked = '';
      this.#render().then(() => { if (this.session.valid && this.session.isShipped) this.#check(true); }); // not if it was edited since
      return;
    }
    this.session.blocked = CHECKING;
    this.#check();
  }

  // keep stores the edits as a draft. If the browser does not store it, a message is shown, once per document.
  #keep() {
    const { document: open } = this.session;
    if (keepDraft(open, this.editor.text)) {
      this.#unkept.delete(open.key);
    } else if (!this.#unkept.has(open.key)) {
      this.#unkept.add(open.key);
      say('The browser does not store your edits: a reload would lose them. Download or save the text.', 'bad');
    }
  }

  // check has the engine check the text, shows the problems, and renders the scene if it has no errors, unless its
  // picture has begun already.
  #check(isShown = false) {
    const body = this.session.body();
    this.checks.run(async (signal) => {
      const { problems, more, scene } = await this.engine.call('check', body, signal);
      this.editor.show(body.text, problems);
      showProblems(this.editor, body.text, problems, more);
      this.session.blocked = scene ? '' : WRONG;
      if (!scene) {
        this.#outdatedByErrors(); // the picture in progress continues until it is complete
        return;
      }
      const { time } = this.session;
      this.#fitTime(scene);
      if (!this.session.isWithin(scene)) this.why.close();
      if (!isShown || this.session.time !== time) this.#render();
    }, (error) => this.#unchecked(error));
  }

  // fitTime keeps the time within the duration of the animation, which an edit may have shortened.
  #fitTime(scene) {
    const duration = this.timeline.fit(scene), { time } = this.session;
    if (time === undefined || (scene.moves && time <= duration)) return;
    this.timeline.reset(scene.moves ? duration : 0);
    this.session.time = scene.moves ? duration : undefined;
  }

  // unchecked shows that the text could not be checked, and why.
  #unchecked(error) {
    if (this.#isLost) {
      this.#unreachable();
      return;
    }
    this.session.blocked = error.message;
    clearProblems(`Not checked: ${error.message}`);
    this.#outdated('The picture is older than the text.');
    if (error.status === 429) setTimeout(() => { if (!this.checks.busy && !this.session.valid) this.#check(); }, BUSY);
  }

  // lost is called when the server no longer answers.
  #lost() {
    this.#isLost = true;
    this.#unreachable();
    this.timeline.stop();
    serverNews(`${LOST} Start it again with render serve, at the same address: the page reconnects by itself. Your text stays here.`);
  }

  // unreachable shows that nothing can be checked, rendered or explained until the server answers
  // again.
  #unreachable() {
    this.session.blocked = LOST;
    clearProblems('Not checked');
    this.#outdated('The picture may be out of date.');
    this.why.wait(LOST);
  }

  #back({ file }) {
    if (this.file && file?.name !== this.file.name) {
      this.#stranger(file?.name);
      return;
    }
    this.#isLost = false;
    serverNews('');
    this.session.blocked = CHECKING;
    this.#check();
  }

  // stranger shows that the server now serves a file other than this page's.
  #stranger(name) {
    this.file.retire();
    serverNews(`The server now serves ${name ?? 'no file'}, not ${this.file.name}. Copy or download your edits, then reload the page.`, true);
  }

  // render renders the current text. If the picture in progress has just begun and shows nothing yet,
  // it continues for a moment. Otherwise, continuous changes of the text would prevent any picture.
  #render() {
    this.#starting ??= Promise.race([this.#coarse?.promise, this.#coarse && rest(PATIENCE)]).then(() => {
      this.#starting = null;
      return this.#start();
    });
    return this.#starting;
  }

  // start starts a picture. While the text is dragged, it refines a coarse picture.
  async #start() {
    if (!this.session.valid) return; // the text has changed, and is being checked
    if (this.#isStepping) {
      this.#isOwed = true; // the picture of the step is newer
      return;
    }
    const { session } = this;
    const extra = { view: session.view };
    if (session.mistake) extra.trap = session.mistake;
    if (session.moving) extra.antialias = 1;
    clearTimeout(this.#refining);
    this.#coarse?.resolve();
    const first = Promise.withResolvers();
    const refined = session.dragging;
    this.#coarse = refined ? null : first; // the next picture of the drag does not wait for a refined one
    const fine = refined || this.editor.isStill;
    if (!refined) this.#generation++; // a refined picture shows the same scene
    this.#status('rendering');
    const result = this.renderer.show(session.body(extra), () => {
      if (!refined) this.#replaced();
      first.resolve();
    }, fine);
    result.then((done) => done && this.#complete(done), (error) => this.#without(error)).finally(() => {
      first.resolve();
      if (this.#coarse === first) this.#coarse = null;
    });
    this.#finished = result.catch(() => null);
  }

  // step makes a step of a gesture: it shows the coarse picture of the text after a change and, if the session is live,
  // the explanation of this text, at the same time if possible.
  async #step(edits, change) {
    const { session } = this, { query } = session;
    const start = performance.now();
    const extra = { text: edits.text, change, view: session.view, step: this.#squares() };
    if (session.mistake) extra.trap = session.mistake;
    if (session.live && query) extra.ask = this.why.question();
    clearTimeout(this.#refining);
    this.#isStepping = true;
    this.#status('rendering');
    const explain = (answer) => {
      if (!this.editor.holds(edits) || query !== session.query) return;
      this.#asking = this.#generation;
      if (this.why.take(answer)) this.#met(answer);
      performance.measure('pillbox explained', { start });
    };
    try {
      const done = await this.renderer.coarse(session.body(extra), {
        ready: (answer) => this.why.prepare(answer),
        onPicture: (draw, head, answer) => {
          if (!this.editor.holds(edits)) return;
          draw();
          this.#generation++;
          this.#replaced();
          this.editor.showGesture(edits, head.edits ?? []);
          performance.measure('pillbox drag', { start });
          if (answer) explain(answer);
        },
        onAnswer: explain,
      });
      if (done) this.#refineLater(done);
      else this.#isOwed = true;
    } catch (error) {
      this.#isOwed = true;
      throw error;
    } finally {
      this.#isStepping = false;
      if (!session.dragging) this.#renderOwed();
    }
  }

  // renderOwed renders the picture that was put off for a gesture.
  #renderOwed() {
    if (!this.#isOwed || this.#isStepping) return;
    this.#isOwed = false;
    this.#render();
  }

  // edit makes a step of a gesture that moves no solid.
  async #edit(edits, name, more) {
    const answer = await this.engine.call(name, this.session.body({ text: edits.text, ...more }));
    this.editor.showGesture(edits, answer.edits, true);
    await this.#shown();
  }

  // squares returns the side of the squares of a coarse picture.
  #squares() {
    const { width, height } = this.picture;
    let step = 2;
    while ((width / step) * (height / step) > COARSE * this.#detail) step *= 2;
    return step;
  }

  // refineLater adapts the squares of coarse pictures to the time that this one took, and refines it if nothing changes.
  #refineLater({ waited }) {
    if (1000 * waited < QUICK) this.#detail = Math.min(4, 2 * this.#detail);
    else if (1000 * waited > SLOW) this.#detail = Math.max(0.25, this.#detail / 2);
    clearTimeout(this.#refining);
    this.#refining = setTimeout(() => { if (this.session.dragging && !this.#starting && !this.#isStepping) this.#start(); }, REFINE);
  }

  // replaced removes the marks and data of the previous picture when the next one appears.
  #replaced() {
    this.#pictured = this.session.document.key;
    this.#forget();
    this.readout.wait();
    byId('why').dataset.old = 'true';
    byId('facts').className = '';
    byId('facts').textContent = `${this.picture.width} × ${this.picture.height}`;
    this.traps.show(this.picture.broken);
    this.outside.warn(this.session.mistake);
    if (byId('view-legend').dataset.view !== this.session.view) showLegend(this.session.view, null);
    if (this.session.moving) this.labels.hide();
    if (!(this.session.live && this.session.query)) this.outside.refresh(); // otherwise it follows the explanation
  }

  // forget removes the marks over the picture, except the ring around the pixel.
  #forget() {
    this.#answer = null;
    this.#ids = null;
    this.marks.clear();
    this.#drawMarks(this.session.query?.pixel ?? null);
  }

  // shown resolves when a picture of the latest text begins to appear.
  async #shown() {
    await this.#starting;
    await this.#coarse?.promise;
  }

  #complete(done) {
    if (!this.session.valid) { // the text is newer, and there is no picture of it yet
      if (this.session.blocked === WRONG) this.#outdatedByErrors();
      return;
    }
    this.#status('whole');
    this.outside.refresh(); // in its final quality
    const { width, height } = this.picture;
    const rays = Object.values(done.rays ?? {}).reduce((a, b) => a + b, 0);
    byId('facts').textContent = `${width} × ${height}, ${seconds(done.waited)}${rays ? `, ${rounded(rays, 'ray')}` : ''}`;
    showLegend(this.session.view, done.scale);
    if (this.session.moving) return;
    this.labels.refresh();
    if (this.session.view === 'object') this.#names();
    if (this.picture.broken) this.#countWrong();
    this.readout.refresh();
    this.#drawPreview();
    this.#ask();
    this.#suggest();
  }

  // names shows the names of the solids in the picture.
  async #names() {
    const generation = this.#generation;
    const ids = this.#ids ?? await this.#identify();
    if (!ids || generation !== this.#generation) return;
    this.#ids = ids;
    const describe = async (numbers) => (await this.engine.call('solids', this.session.body({ numbers }))).solids;
    showNames(this.picture, ids, describe, (solid) => this.#select(solid)).catch(() => {}); // the text has errors by now
  }

  // countWrong compares the visible picture, which is broken on purpose, with the right one.
  async #countWrong() {
    const generation = this.#generation, { width, height, pixels } = this.picture;
    const right = await this.#pixelsOf({ view: 'color' }).catch(() => null);
    if (!right || generation !== this.#generation || right.length !== pixels.length) return;
    let wrong = 0;
    for (let at = 0; at < right.length; at += 4) {
      if (right[at] !== pixels[at] || right[at + 1] !== pixels[at + 1] || right[at + 2] !== pixels[at + 2] || right[at + 3] !== pixels[at + 3]) wrong++;
    }
    this.traps.count(wrong, width * height);
  }

  // pixelsOf returns the pixels of a picture of the current text; more holds fields of the request.
  async #pixelsOf(more) {
    const { width, height } = this.picture;
    const all = new Uint8Array(4 * width * height);
    const pixels = ({ x, y, w, h, step, data }) => {
      if (step !== 1) return;
      for (let row = 0; row < h; row++) all.set(data.subarray(4 * w * row, 4 * w * (row + 1)), 4 * ((y + row) * width + x));
    };
    await this.engine.render(this.session.body({ width, height, ...more }), { pixels });
    return all;
  }

  // suggest proposes pixels while none is explained.
  #suggest() {
    if (this.session.query || !this.session.valid) return;
    this.suggestions.run((signal) => suggest(this.engine, this.session.body(), signal, (pixel) => this.ask({ pixel })));
  }

  // without shows why there is no picture. The last one remains visible.
  #without(error) {
    this.renderer.cancel();
    if (this.#isLost) return;
    if (error instanceof Failure && error.status === 429) {
      setTimeout(() => { if (!this.#coarse) this.#render(); }, BUSY);
      return;
    }
    if (error.problems?.length) this.#outdatedByErrors();
    else this.#outdated(error.message);
  }

  // outdatedByErrors says which picture is shown while the text has errors. A picture of another scene is removed.
  #outdatedByErrors() {
    const isLast = this.#pictured === this.session.document.key;
    if (!isLast) {
      this.picture.clear();
      this.marks.clear();
    }
    this.#outdated(isLast ? LAST : NONE);
  }

  // outdated marks the picture as belonging to an older text.
  #outdated(why) {
    this.#status('stale');
    byId('facts').className = 'wrong';
    byId('facts').textContent = why;
    byId('why').dataset.old = 'true';
  }

  #status(state) {
    byId('stage').dataset.state = state;
    byId('stage').setAttribute('aria-busy', String(state === 'rendering'));
  }

  async #setTime(time, moving) {
    this.session.time = time;
    this.session.moving = moving;
    await this.#render();
    await this.#finished;
  }

  #help() {
    clearTimeout(this.helpTimer);
    this.helpTimer = setTimeout(() => this.helps.run(async (signal) => {
      showHelp(await this.engine.call('hover', { text: this.editor.text, position: this.editor.cursor }, signal));
    }), HELP_DELAY);
  }

  async #probe([x, y], signal) {
    return this.engine.call('probe', this.session.body({ x: Math.floor(x), y: Math.floor(y), trap: this.session.mistake }), signal).catch((error) => {
      if (aborted(error)) throw error;
      return null; // the text has errors
    });
  }

  // mark draws the rays and outlines of an explanation over the picture.
  async #mark(answer) {
    if (answer && !this.#isCurrent()) return; // the answer about the next picture follows
    this.#answer = answer;
    this.#drawMarks(this.session.query?.pixel ?? null);
    this.outside.warn(this.session.mistake, answer?.mistaken);
    this.outside.refresh();
    if (!answer) {
      this.#suggest();
      this.marks.outline(null, new Map(), this.picture);
      this.editor.select(null);
      return;
    }
    delete byId('why').dataset.old;
    if (this.session.moving) return; // the outlines follow when the drag has ended
    const ids = this.#ids ?? await this.#identify();
    if (!ids || this.#answer !== answer) return; // another picture or question has replaced it
    this.#ids = ids;
    this.marks.outline(ids, rolesOf(answer), this.picture);
  }

  // pointAtRay emphasizes the ray under the pointer; '' for none.
  #pointAtRay(name) {
    if (name === this.#pointed) return;
    this.#pointed = name;
    this.emphasis.ray(name);
  }

  // nextRay emphasizes the next ray over the picture.
  #nextRay() {
    const rays = (this.#answer?.path ?? []).filter(({ name }) => name);
    if (rays.length === 0) return;
    const next = rays[(rays.findIndex(({ name }) => name === this.#pointed) + 1) % rays.length];
    this.#pointAtRay(next.name);
    say(labelOf(next, this.#answer));
  }

  // light emphasizes a ray over the pictures.
  #light(name) {
    this.marks.light(name);
    this.outside.light(name);
  }

  #drawMarks(pixel) { this.marks.path((this.#answer?.path ?? []).map((segment, i) => (i ? segment : { ...segment, grips: true })), pixel, this.picture, (segment) => labelOf(segment, this.#answer)); }

  // identify returns the number of the solid that each pixel shows, from the engine.
  async #identify() {
    if (!this.session.valid) return null;
    try {
      return new Uint32Array((await this.#pixelsOf({ view: 'id', antialias: 1 })).buffer);
    } catch {
      return null; // the text has errors by now
    }
  }

  // downloadFigure downloads the picture with its annotations as vectors.
  async #downloadFigure(format) {
    const { session } = this;
    if (!session.valid) return say(session.blocked);
    if (this.picture.broken) return say('This picture is broken on purpose. Show the right picture to download it.', 'bad');
    if (session.view !== 'color') return say(`${format.toUpperCase()} files show colors. Choose the view \u201ccolor\u201d to download one.`);
    const { name } = session.document, button = byId(format);
    button.disabled = true;
    say(`Rendering ${name}.${format} \u2026`);
    try {
      const { file } = await this.engine.call('figure', session.body({ format }));
      const bytes = Uint8Array.from(atob(file), (c) => c.charCodeAt(0));
      download(new Blob([bytes], { type: format === 'svg' ? 'image/svg+xml' : 'application/pdf' }), `${name}.${format}`);
      say(`${name}.${format} is downloaded.`);
    } catch (error) {
      say(error.message, 'bad');
    } finally {
      button.disabled = false;
    }
  }

  #downloads() {
    for (const format of ['svg', 'pdf']) byId(format).addEventListener('click', () => this.#downloadFigure(format));
    byId('png').addEventListener('click', async () => {
      if (!this.picture.pixels || byId('stage').dataset.state !== 'whole') {
        say(byId('stage').dataset.state === 'stale' ? 'There is no picture of the current text.' : 'The picture is not complete yet.');
        return;
      }
      if (this.picture.broken) {
        say('This picture is broken on purpose. Show the right picture to download it.', 'bad');
        return;
      }
      download(await png(this.picture.pixels, this.picture.width, this.picture.height), `${this.session.document.name}.png`);
    });
    byId('toml').addEventListener('click', () => this.#downloadText());
  }

  #downloadText() {
    download(new Blob([this.editor.text], { type: 'application/toml' }), `${this.session.document.name}.toml`);
  }

  #keys() {
    byId('undo').addEventListener('click', () => this.editor.undo());
    byId('redo').addEventListener('click', () => this.editor.redo());
    byId('help').addEventListener('click', () => byId('help-dialog').showModal());
    addEventListener('keydown', (event) => {
      const command = event.ctrlKey || event.metaKey;
      if (command && event.key === 's') {
        event.preventDefault();
        if (this.session.document.file) this.file.save();
        else this.#downloadText();
      } else if (command && event.key === 'z' && !event.defaultPrevented && !document.querySelector('dialog[open]')) {
        event.preventDefault();
        if (event.shiftKey) this.editor.redo();
        else this.editor.undo();
      } else if (event.key === 'Escape' && !event.defaultPrevented && this.session.query && event.target.id === 'stage') {
        this.why.close();
      }
    });
    // Drafts survive a reload, but not closing the tab: ask before unsaved edits of a file are lost.
    addEventListener('beforeunload', (event) => { if (this.file?.modified || this.#unkept.size > 0) event.preventDefault(); });
  }
}

// tableOf returns the table that defines a solid or a light, or the placement that created it; null if
// neither is in the text.
const tableOf = (solid) => solid?.placement ?? solid?.table ?? null;

// labelOf returns the label of a ray over the picture.
function labelOf(segment, answer) {
  const { kind, fate, light, depth, name: ray } = segment;
  if (kind === 'segment') return '';
  if (kind === 'eye') return 'camera';
  if (ray && ray === answer?.mistaken?.ray) return `${labelOf({ ...segment, name: '' }, answer)} (without the mistake)`;
  const lights = answer?.lights ?? [];
  if (kind !== 'light') return { camera: 'camera ray', ray: 'ray' }[kind] ?? (depth > 1 ? `mirror ${depth}` : 'mirror');
  const named = lights.find((other) => other.light === light);
  const name = named?.name ? `light \u201c${named.name}\u201d` : named && !named.table ? 'the light' : `light ${light}`;
  const end = { blocked: ': blocked', enclosed: ': blocked', 'partly blocked': ': in part' }[fate] ?? '';
  return `${depth > 0 ? `from the end of mirror${depth > 1 ? ` ${depth}` : ''} ` : ''}to ${name}${end}`;
}

// rolesOf returns the role of every solid in an explanation.
function rolesOf({ hit, path, solids }) {
  const roles = new Map(solids.map(({ object }) => [object, 'path']));
  for (const segment of path) if (isBlocked(segment)) roles.set(segment.object, 'blocker');
  if (hit >= 0) roles.set(hit, 'hit');
  return roles;
}

// serverNews shows a line about the server, with a button to reload the page if that helps.
function serverNews(text, reload = false) {
  byId('server-bar').hidden = !text;
  byId('server-news').textContent = text;
  byId('server-reload').hidden = !reload;
}
