// The gallery: all lessons, and all scenes by topic, with thumbnails that the engine renders when they come into sight.
import { Picture } from './picture.js';
import { byId, make } from './dom.js';
import { aborted } from './failure.js';

const WIDTH = 208; // pixels of a thumbnail
const TESTS = 'Test scenes'; // the topic that is folded

export class Gallery {
  #render;
  #choose;
  #queue = [];
  #current = null; // the thumbnail that is rendered
  #chosen = ''; // the key of the card that was chosen last
  #dialog = byId('gallery');

  // list is the engine's answer to the request scenes; render(body, listener, signal) renders a picture; choose(key)
  // opens a scene or a lesson.
  constructor(list, render, choose) {
    this.#render = render;
    this.#choose = choose;
    const seen = new IntersectionObserver((entries) => entries.filter(({ isIntersecting }) => isIntersecting).forEach(({ target }) => {
      seen.unobserve(target);
      this.#queue.push(target);
      this.#proceed();
    }), { root: this.#dialog, rootMargin: '120px' });
    byId('gallery-open').addEventListener('click', () => {
      if (!byId('gallery-list').hasChildNodes()) this.#fill(list, seen);
      this.#dialog.showModal();
      this.#mark();
      this.#proceed();
    });
    this.#dialog.addEventListener('close', () => this.#current?.abort());
  }

  #fill({ scenes, lessons }, seen) {
    const topics = [...new Set(scenes.map(({ topic }) => topic))];
    const scenesOf = (topic) => scenes.filter((scene) => scene.topic === topic).map(({ name, title, text }) => this.#card(`scene:${name}`, name, title, { text }, seen));
    const lessonCards = (beside) => lessons.filter(({ more }) => Boolean(more) === beside).map(({ name, title, examples: [example] }) => (
      this.#card(`lesson:${name}`, title, '', example && bodyOf(example), seen)));
    const tests = make('details', {}, make('summary', {}, TESTS), make('p', { className: 'quiet' }, 'Scenes that test a boundary case: tiny, huge, seen from inside.'), make('ul', { className: 'cards' }, ...scenesOf(TESTS)));
    const section = (topic, cards) => make('section', { 'aria-label': topic }, make('h3', {}, topic), make('ul', { className: 'cards' }, ...cards));
    const sections = [section('Lessons', lessonCards(false)), ...topics.filter((topic) => topic !== TESTS).map((topic) => section(topic, scenesOf(topic))), section('Beside the lessons', lessonCards(true))];
    byId('gallery-list').replaceChildren(...sections, tests);
    byId('gallery-topics').replaceChildren(...[...sections, tests].map((part) => make('button', {
      type: 'button',
      onclick: () => {
        if (part === tests) tests.open = true;
        part.scrollIntoView();
        part.querySelector(part === tests ? 'summary' : '.card').focus({ preventScroll: true });
      },
    }, part === tests ? TESTS : part.getAttribute('aria-label'))));
  }

  #card(key, name, title, body, seen) { // without a body, it has no thumbnail
    const thumbnail = body && make('span', { className: 'thumbnail' }, make('canvas', { width: 1, height: 1, 'aria-hidden': 'true' }));
    if (thumbnail) {
      thumbnail.body = body;
      seen.observe(thumbnail);
    }
    const card = make('button', {
      type: 'button',
      className: 'card',
      onclick: () => {
        this.#dialog.close();
        this.#chosen = key;
        this.#choose(key);
      },
    }, thumbnail, make('span', { className: 'name' }, name), title ? make('span', { className: 'title' }, title) : null);
    card.dataset.key = key;
    return make('li', {}, card);
  }

  // mark marks the card of the open document. If it was chosen here, mark brings it into sight, otherwise the first card.
  #mark() {
    const open = byId('scene').value, cards = [...this.#dialog.querySelectorAll('.card')];
    for (const card of cards) {
      if (card.dataset.key === open) card.setAttribute('aria-current', 'true');
      else card.removeAttribute('aria-current');
    }
    const current = cards.find(({ dataset: { key } }) => key === open && key === this.#chosen);
    (current?.checkVisibility() ? current : cards[0]).focus();
  }

  // proceed renders the next thumbnail; one at a time, so that the picture of the scene does not wait.
  async #proceed() {
    if (this.#current || !this.#dialog.open) return;
    const thumbnail = this.#queue.shift();
    if (!thumbnail) return;
    this.#current = new AbortController();
    try {
      await this.#paint(thumbnail, this.#current.signal);
    } catch (error) {
      if (aborted(error)) this.#queue.unshift(thumbnail);
      else thumbnail.classList.add('failed');
    }
    this.#current = null;
    this.#proceed();
  }

  async #paint(thumbnail, signal) {
    const picture = new Picture(thumbnail.firstChild, () => {});
    const { width = 0, height = 0 } = thumbnail.body;
    const size = height ? { width: WIDTH, height: Math.round(WIDTH * height / width) } : { width: WIDTH };
    let head;
    await this.#render({ ...thumbnail.body, ...size, antialias: 2 }, {
      head: (news) => { head = news; },
      pixels: (part) => {
        if (head) picture.begin(head);
        head = null;
        picture.draw(part);
      },
    }, signal);
    thumbnail.dataset.done = 'true';
  }
}

// bodyOf returns the fields of a request for the picture of an example.
const bodyOf = ({ text, width, height, trap }) => ({ text, ...(height ? { width, height } : {}), ...(trap ? { trap } : {}) });
