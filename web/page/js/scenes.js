// The list of scenes and lessons, and the bar with the examples of a lesson.
import { byId, make } from './dom.js';

export class Scenes {
  #list = { scenes: [], lessons: [] };
  #select = byId('scene');

  // onOpen gets {key, name, text, query, size, title}.
  constructor(list, file, onOpen) {
    this.#list = list;
    this.onOpen = onOpen;
    const group = (label, ...options) => options.length && make('optgroup', { label }, ...options);
    const option = (value, text, title = '') => make('option', { value, title }, text);
    const groups = [
      group('Your file', ...(file ? [option('file', file.name)] : [])),
      group('Scenes', ...list.scenes.map(({ name, title }) => option(`scene:${name}`, name, title))),
      group('Lessons', ...list.lessons.filter(({ examples }) => examples.length).map(({ name, title }) => option(`lesson:${name}:0`, title))),
    ];
    this.#select.replaceChildren(...groups.filter(Boolean));
    this.#select.addEventListener('change', () => this.open(this.#select.value));
    this.file = file;
  }

  // open opens what a key stands for: file, scene:NAME or lesson:NAME:N. It returns false if
  // there is no such thing.
  open(key) {
    const found = this.#find(key);
    if (!found) return false;
    this.mark(key);
    this.#bar(key);
    this.onOpen({ key, ...found });
    return true;
  }

  // openText opens a text that is in no list.
  openText(text, title) {
    this.#select.querySelector('[value=link]')?.remove();
    this.#select.prepend(make('option', { value: 'link' }, title));
    this.mark('link');
    this.#bar('link');
    this.onOpen({ key: `link:${text}`, name: 'scene', text }); // one link may follow another
  }

  // first is the key of what is shown if the address says nothing.
  get first() { return this.file ? 'file' : this.#list.scenes.some(({ name }) => name === 'demo') ? 'scene:demo' : this.#select.options[0]?.value; }

  mark(key) { this.#select.value = key.startsWith('lesson:') ? key.replace(/:\d+$/, ':0') : key; }

  #find(key) {
    if (key === 'file') return this.file && { name: this.file.name.replace(/\.toml$/, ''), text: this.file.text, file: true };
    const [kind, name, n] = key.split(':');
    if (kind === 'scene') return this.#list.scenes.find((scene) => scene.name === name);
    const example = this.#list.lessons.find((lesson) => lesson.name === name)?.examples[Number(n)];
    if (!example) return null;
    const { text, pixel, ray, segment, capsules, solid, width, height, antialias } = example;
    const query = pixel ? { pixel } : ray ? { ray } : segment ? { segment } : capsules ? { capsules } : null;
    if (query && solid) query.solid = solid;
    const size = Object.fromEntries(Object.entries({ width, height, antialias }).filter(([, value]) => value));
    return { name: example.scene, text, query, size };
  }

  #bar(key) {
    const bar = byId('lesson');
    const [kind, name, n] = key.split(':');
    const lesson = kind === 'lesson' && this.#list.lessons.find((l) => l.name === name);
    bar.hidden = !lesson;
    if (!lesson) return;
    byId('lesson-title').textContent = `Lesson: ${lesson.title}`;
    byId('examples').replaceChildren(...lesson.examples.map((example, i) => make('li', {}, make('button', {
      type: 'button', 'aria-pressed': String(i === Number(n)), onclick: () => this.open(`lesson:${name}:${i}`),
    }, titleOf(lesson.examples, i)))));
  }
}

// titleOf returns the title of an example, with a number if others have the same.
function titleOf(examples, i) {
  const { title } = examples[i];
  const same = examples.filter((example) => example.title === title);
  return same.length === 1 ? title : `${title || 'Example'} ${same.indexOf(examples[i]) + 1}`;
}
