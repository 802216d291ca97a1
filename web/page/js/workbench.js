// The workbench connects the parts of the page: what changes in one shows in the others.
import { Failure, aborted } from './failure.js';
import { Editor } from './editor.js';
import { Gesture } from './gesture.js';
import { Marks } from './marks.js';
import { Picture } from './picture.js';
import { Pointer } from './pointer.js';
import { Renderer } from './renderer.js';
import { Scenes } from './scenes.js';
import { ServedFile } from './file.js';
import { Session } from './session.js';
import { Timeline } from './timeline.js';
import { Why } from './why.js';
import { byId, say } from './dom.js';
import { clearReadout, showReadout } from './readout.js';
import { download } from './download.js';
import { draftOf, keepDraft } from './draft.js';
import { initPanes, showPane } from './panes.js';
import { initShare } from './share.js';
import { initSplitter } from './splitter.js';
import { initTheme } from './theme.js';
import { initViews } from './views.js';
import { png } from './png.js';
import { showHelp, showProblems } from './problems.js';
import { Latest } from './latest.js';

const PATIENCE = 250;    // ms for which a picture that shows nothing yet is not given up for a newer one
const BUSY = 800;        // ms until a render is asked for again that the server had no room for
const HELP_DELAY = 200;  // ms for which the cursor rests before its key is explained
const LAST = 'The picture is the last one without errors.';

export class Workbench {
  #answer = null;   // the explanation that is shown
  #ids = null;      // which solid every pixel of the picture shows, once that is wanted
  #coarse = null;   // of the picture under way: resolves when some of it is to be seen
  #starting = null; // the picture that comes next: resolves when it begins
  #finished = Promise.resolve(); // the picture under way

  constructor(engine, about) {
    this.engine = engine;
    this.about = about;
    const stage = byId('stage');
    this.picture = new Picture(byId('picture'), (share) => stage.style.setProperty('--progress', share));
    this.marks = new Marks(byId('outlines'), byId('rays'));
    this.renderer = new Renderer(engine, this.picture);
    this.checks = new Latest();
    this.probes = new Latest();
    this.helps = new Latest();
    this.editor = new Editor(byId('editor'), {
      ask: (name, body, signal) => engine.call(name, body, signal),
      onChange: (kind) => this.#changed(kind),
      onCursor: () => this.#help(),
    });
    this.session = new Session(this.editor);
    this.timeline = new Timeline((time, draft) => this.#setTime(time, draft));
    this.why = new Why(engine, this.session, { onAnswer: (answer) => this.#mark(answer), onSelect: (solid) => this.#select(solid) });
    this.pointer = new Pointer(this.picture, {
      begin: () => new Gesture(this.session, engine, () => this.#shown()),
      why: (pixel) => this.ask({ pixel }),
      hover: (pixel) => this.#hover(pixel),
      leave: () => { this.probes.cancel(); clearReadout(); },
      crosshair: (pixel) => this.#drawMarks(pixel),
      grab: async (pixel) => (this.session.valid ? (await this.#probe(pixel))?.object ?? -1 : -1),
    });
  }

  async begin(link) {
    initTheme(() => this.#ask());
    initSplitter();
    initPanes();
    initShare(this.session);
    initViews(this.about.views, (view) => {
      this.session.view = view;
      this.#render();
    });
    this.#downloads();
    this.#keys();
    clearReadout();
    showHelp(null);
    if (this.about.file) {
      this.file = new ServedFile(this.engine, this.session, this.about.file, {
        isOpen: () => this.session.document.key === 'file',
        onReload: () => this.#check(),
      });
    }
    this.scenes = new Scenes(await this.engine.call('scenes', {}), this.file, (found) => this.#open(found));
    this.open(link);
  }

  // open shows what a link stands for.
  open(link) {
    const found = link.scene ? this.scenes.open(`scene:${link.scene}`)
      : link.lesson ? this.scenes.open(`lesson:${link.lesson}:${link.example ?? 0}`)
        : link.text ? (this.scenes.openText(link.text, 'Shared scene'), true)
          : this.scenes.open(this.scenes.first);
    if (link.broken || !found) {
      say('The link is damaged, or names a scene that is not here.', 'bad');
      if (!this.session.document.key) this.scenes.open(this.scenes.first);
    }
    if (link.view && this.about.views.some(({ name }) => name === link.view)) {
      byId('view').value = this.session.view = link.view;
    }
    if (link.time !== undefined) {
      this.session.time = link.time;
      this.timeline.reset(link.time);
    }
    if (link.pixel) this.session.query = { pixel: link.pixel };
  }

  #open({ key, name, text, query = null, size = {}, file = false }) {
    const { session } = this;
    session.document = { key, name, file, text };
    session.size = size;
    session.time = undefined;
    session.query = query;
    this.timeline.reset();
    if (!query) this.why.close();
    this.editor.open(key, text);
    const draft = draftOf(key);
    if (draft !== undefined && !session.modified) this.editor.replace(draft);
    document.title = `${name} – Pillbox`;
  }

  // ask explains a pixel, and selects the table of the solid that it shows.
  async ask(query) {
    this.session.query = query;
    if (!this.#ids) this.marks.outline(null, new Map(), this.picture); // those of the pixel before
    showPane('why');
    const answer = await this.#ask();
    const hit = answer?.explanation.hit?.object;
    const solid = answer?.solids.find(({ object }) => object === hit);
    this.#select(solid ?? null);
  }

  async #ask() {
    if (!this.session.query || this.session.draft) return null;
    return this.session.valid ? this.why.ask() : this.why.wait();
  }

  #select(solid) {
    const range = solid ? solid.placement ?? solid.table : null;
    this.editor.select(range);
  }

  #changed(kind) {
    if (!this.session) return;
    byId('undo').disabled = !this.editor.canUndo;
    byId('redo').disabled = !this.editor.canRedo;
    this.file?.show();
    if (kind === 'gesture') {
      this.#render(); // its edits are the engine's
    } else {
      this.session.valid = false; // until the engine says so
      this.#check();
      keepDraft(this.session);
    }
  }

  // check has the text judged, shows what is wrong with it, and renders it if it is a scene.
  #check() {
    const body = this.session.body();
    this.checks.run(async (signal) => {
      const { problems, more, scene } = await this.engine.call('check', body, signal);
      this.editor.show(body.text, problems);
      showProblems(this.editor, body.text, problems, more);
      this.session.valid = Boolean(scene);
      if (!scene) return this.#stale(LAST); // which goes on until it is whole
      this.timeline.fit(scene);
      if (!this.session.isWithin(scene)) this.why.close();
      this.#render();
    }, (error) => say(error.message, 'bad'));
  }

  // render shows the picture of the text as it is now. One that was asked for a moment ago and
  // shows nothing yet goes on for a while, or nothing would ever be seen while the text changes.
  #render() {
    this.#starting ??= Promise.race([this.#coarse?.promise, this.#coarse && rest(PATIENCE)]).then(() => {
      this.#starting = null;
      return this.#start();
    });
    return this.#starting;
  }

  async #start() {
    if (!this.session.valid) return; // the text changed meanwhile, and is being checked
    this.#ids = null;
    const { session } = this;
    const extra = { view: session.view };
    if (session.draft) extra.antialias = 1;
    this.#coarse?.resolve();
    const coarse = this.#coarse = Promise.withResolvers();
    this.#status('rendering');
    const result = this.renderer.show(session.body(extra), () => coarse.resolve());
    result.then((done) => done && this.#whole(done), (error) => this.#without(error)).finally(() => {
      coarse.resolve();
      if (this.#coarse === coarse) this.#coarse = null;
    });
    this.#finished = result.catch(() => null);
  }

  // shown returns when something of the newest text is to be seen.
  async #shown() {
    await this.#starting;
    await this.#coarse?.promise;
  }

  #whole(done) {
    if (!this.session.valid) return; // the text is a newer one, of which there is no picture yet
    this.#status('whole');
    const { width, height } = this.picture;
    const rays = Object.values(done.rays ?? {}).reduce((a, b) => a + b, 0);
    byId('facts').className = '';
    byId('facts').textContent = `${width} × ${height}, ${seconds(done.waited)}${rays ? `, ${round(rays)} rays` : ''}`;
    byId('scale').textContent = done.scale ? `${amount(done.scale.from)} to ${amount(done.scale.to)} ${done.scale.unit ?? ''}` : '';
    if (!this.session.draft) this.#ask();
  }

  // without says why there is no picture. The last one stays.
  #without(error) {
    this.renderer.cancel();
    if (error instanceof Failure && error.status === 429) {
      setTimeout(() => { if (!this.#coarse) this.#render(); }, BUSY);
      return;
    }
    this.#stale(error.problems?.length ? LAST : error.message);
  }

  #stale(why) {
    this.#status('stale');
    byId('facts').className = 'wrong';
    byId('facts').textContent = why;
  }

  #status(state) {
    byId('stage').dataset.state = state;
    byId('stage').setAttribute('aria-busy', String(state === 'rendering'));
  }

  async #setTime(time, draft) {
    this.session.time = time;
    this.session.draft = draft;
    await this.#render();
    await this.#finished;
  }

  #help() {
    clearTimeout(this.helpTimer);
    this.helpTimer = setTimeout(() => this.helps.run(async (signal) => {
      showHelp(await this.engine.call('hover', { text: this.editor.text, position: this.editor.cursor }, signal));
    }), HELP_DELAY);
  }

  #hover(pixel) {
    if (!this.session.valid) return;
    if (this.session.draft || this.probes.busy) {
      this.hovered = pixel;
      return;
    }
    this.hovered = null;
    this.probes.run(async (signal) => {
      const probe = await this.#probe(pixel, signal);
      if (probe) showReadout(pixel, probe);
    }).then(() => { if (this.hovered) this.#hover(this.hovered); });
  }

  async #probe([x, y], signal) {
    return this.engine.call('probe', this.session.body({ x: Math.floor(x), y: Math.floor(y) }), signal).catch((error) => {
      if (aborted(error)) throw error;
      return null; // the text has errors
    });
  }

  // mark draws what an explanation is about over the picture.
  async #mark(answer) {
    this.#answer = answer;
    this.#drawMarks(this.session.query?.pixel ?? null);
    if (!answer) {
      this.marks.outline(null, new Map(), this.picture);
      return;
    }
    const roles = rolesOf(answer);
    this.#ids ??= await this.#identify();
    if (this.#ids && this.#answer === answer) this.marks.outline(this.#ids, roles, this.picture);
  }

  #drawMarks(pixel) { this.marks.path(this.#answer?.path ?? [], pixel, this.picture); }

  // identify has the engine tell which solid every pixel shows.
  async #identify() {
    if (!this.session.valid) return null;
    const { width, height } = this.picture;
    const ids = new Uint8Array(4 * width * height);
    const pixels = ({ x, y, w, h, step, data }) => {
      if (step !== 1) return;
      for (let row = 0; row < h; row++) ids.set(data.subarray(4 * w * row, 4 * w * (row + 1)), 4 * ((y + row) * width + x));
    };
    try {
      await this.engine.render(this.session.body({ view: 'id', width, height, antialias: 1 }), { pixels });
      return new Uint32Array(ids.buffer);
    } catch {
      return null; // the text has errors by now
    }
  }

  #downloads() {
    byId('png').addEventListener('click', async () => {
      if (!this.picture.pixels || byId('stage').dataset.state !== 'whole') return say('The picture is not whole yet.');
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
        if (this.file && this.session.document.key === 'file') this.file.save();
        else this.#downloadText();
      } else if (command && event.key === 'z' && !event.defaultPrevented && !document.querySelector('dialog[open]')) {
        event.preventDefault();
        if (event.shiftKey) this.editor.redo();
        else this.editor.undo();
      } else if (event.key === 'Escape' && !event.defaultPrevented && this.session.query && event.target.id === 'stage') {
        this.why.close();
      }
    });
    addEventListener('beforeunload', (event) => {
      if (this.file && this.session.document.key === 'file' && this.session.modified) event.preventDefault();
    });
  }
}

// rolesOf says for every solid of an explanation what it is there.
function rolesOf({ explanation, path, solids }) {
  const roles = new Map(solids.map(({ object }) => [object, 'path']));
  for (const { fate, object } of path) if (fate === 'blocked') roles.set(object, 'blocker');
  if (explanation.hit) roles.set(explanation.hit.object, 'hit');
  return roles;
}

const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const seconds = (s) => (s < 1 ? `${Math.round(1000 * s)} ms` : `${s.toFixed(1)} s`);
const amount = (x) => Number(x.toPrecision(3)).toString();
const round = (n) => (n < 1e6 ? `${Math.round(n / 1e3)} thousand` : `${(n / 1e6).toFixed(1)} million`);
