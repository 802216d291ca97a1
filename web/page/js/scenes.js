// The list of scenes and lessons.
import { byId, make } from './dom.js';
import { fingerprint } from './draft.js';
import { normalized } from './editor.js';

const TESTS = 'Test scenes'; // the topic that comes last

export class Scenes {
  #list = { scenes: [], lessons: [] };
  #select = byId('scene');
  #isOpen = false; // a document is open
  #link = null; // {text, hash}: the scene of the link that was opened last

  // onOpen gets {document, query, size}; onLesson gets a lesson and the number of its example, null for none.
  constructor(list, file, onOpen, onLesson) {
    this.onLesson = onLesson;
    this.#list = list;
    this.onOpen = onOpen;
    const group = (label, ...options) => options.length && make('optgroup', { label }, ...options);
    const option = (value, text, title = '') => make('option', { value, title }, text);
    const topics = (scenes, last) => [...new Set(scenes.map(({ topic }) => topic))].filter((topic) => (topic === TESTS) === last)
      .map((topic) => group(topic, ...scenes.filter((scene) => scene.topic === topic).map(({ name, title }) => option(`scene:${name}`, name, title))));
    const lessons = (beside) => list.lessons.filter(({ more }) => Boolean(more) === beside).map(({ name, title }) => option(`lesson:${name}`, title));
    const groups = [
      group('Your file', ...(file ? [option('file', file.name)] : [])),
      group('Lessons', ...lessons(false)),
      group('Beside the lessons', ...lessons(true)),
      ...topics(list.scenes, false),
      ...topics(list.scenes, true),
    ];
    this.#select.replaceChildren(...groups.filter(Boolean));
    this.#select.addEventListener('change', () => this.choose(this.#select.value));
    this.file = file;
  }

  // choose opens a key that the user chose. The address follows, so that a reload and the browser's
  // Back button lead to the same scene.
  choose(key) {
    if (this.open(key)) history.pushState(null, '', location.pathname + location.search + this.#address(key));
  }

  // suppose opens the example with a key for a question: if text is not empty, its scene is changed to text. solid is the
  // name of the solid that the question is about, '' for none.
  suppose(key, text, solid) {
    const found = this.#find(key), [, name, n] = key.split(':');
    if (text) found.document = documentOf(`${key}:${fingerprint(text)}`, found.document.name, text);
    if (solid && found.query) found.query = { ...found.query, solid };
    this.mark(key);
    this.onLesson(this.lesson(name), Number(n));
    this.onOpen(found);
    history.pushState(null, '', location.pathname + location.search + this.#address(key));
  }

  #address(key) {
    const [kind, name, n] = key.split(':').map(encodeURIComponent); // n is undefined if the key has no number
    if (kind === 'lesson') return n === undefined ? `#lesson=${name}` : `#lesson=${name}&example=${n}`;
    return kind === 'scene' ? `#scene=${name}` : kind === 'link' ? this.#link.hash : '';
  }

  // open opens the document of a key: file, link, scene:NAME, lesson:NAME:N or, for a lesson whose examples
  // are not explained yet, lesson:NAME. A lesson without examples is shown beside the open document. open returns false
  // if no such document exists.
  open(key) {
    const [kind, name, n] = key.split(':');
    const lesson = (kind === 'lesson' && this.lesson(name)) || null;
    const isPage = lesson?.examples.length === 0 && n === undefined;
    const found = isPage ? this.#isOpen || this.#find(this.file ? 'file' : `lesson:${this.#list.lessons[0].name}`) : this.#find(key);
    if (!found) return false;
    this.mark(key);
    this.onLesson(lesson, n === undefined ? null : Number(n));
    if (found !== true) this.onOpen(found);
    this.#isOpen = true;
    return true;
  }

  // openText opens the text of the link in the address.
  openText(text, title) {
    this.#select.querySelector('[value=link]')?.remove();
    this.#select.prepend(make('option', { value: 'link' }, title));
    this.#link = { text, hash: location.hash };
    this.open('link');
  }

  // first is the key of the document for an address without a scene.
  get first() { return this.file ? 'file' : this.#list.scenes.some(({ name }) => name === 'demo') ? 'scene:demo' : this.#select.options[0]?.value; }

  mark(key) { this.#select.value = key.startsWith('lesson:') ? key.replace(/:\d+$/, '') : key; }

  // lesson returns the lesson with a name; undefined if none has it.
  lesson(name) { return this.#list.lessons.find((other) => other.name === name); }

  // drawing returns the example whose command draws the diagram in a file; undefined if none does.
  drawing(file) { return this.#list.lessons.flatMap(({ examples }) => examples).find(({ figure }) => figure?.file === file); }

  #find(key) {
    if (key === 'file') return this.file && { document: this.file.document };
    if (key === 'link') return this.#link && { document: documentOf(`link:${this.#link.text}`, 'scene', this.#link.text) };
    const [kind, name, n] = key.split(':');
    if (kind === 'scene') {
      const scene = this.#list.scenes.find((other) => other.name === name);
      return scene && { document: documentOf(key, name, scene.text) };
    }
    const example = this.lesson(name)?.examples[Number(n ?? 0)];
    if (!example) return null;
    const { text, pixel, ray, segment, capsules, solid, width, height, antialias, trap } = example;
    const query = pixel ? { pixel } : ray ? { ray } : segment ? { segment } : capsules ? { capsules } : null;
    if (query && solid) query.solid = solid;
    const size = Object.fromEntries(Object.entries({ width, height, antialias }).filter(([, value]) => value));
    return { document: documentOf(`lesson:${name}:${n ?? 0}`, example.scene, text), query: n === undefined ? null : query, size, trap: n === undefined ? '' : trap };
  }
}

function documentOf(key, name, text) {
  return { key, name, file: false, text: normalized(text), base: fingerprint(text) };
}
