// Mistakes that the picture can be rendered with, on purpose. The engine names the mistake in the first frame of such a
// picture. As long as the picture is visible, a banner names the mistake, and the picture cannot be downloaded. Links
// do not contain the mistake.
import { byId, make } from './dom.js';

export class Traps {
  #traps;
  #select = byId('trap');

  // onChange(name) receives the mistake that the reader chose, '' for none; onScene(text, title) opens a scene that shows
  // it.
  constructor(traps, { onChange, onScene }) {
    this.#traps = traps;
    this.#select.replaceChildren(make('option', { value: '' }, 'No mistake'), ...traps.map(({ name, title, fault }) => make('option', { value: name }, `${title}: ${fault}`)));
    this.#select.addEventListener('change', () => onChange(this.#select.value));
    byId('broken-off').addEventListener('click', () => {
      this.reset();
      onChange('');
      this.#select.focus();
    });
    byId('broken-scene').addEventListener('click', () => onScene(this.#chosen));
  }

  get #chosen() { return this.#traps.find(({ name }) => name === this.#select.value); }

  // choose switches a mistake on, without onChange; reset switches it off.
  choose(name) { this.#select.value = name; }

  reset() { this.choose(''); }

  // allow enables the list: views other than the color have no mistakes.
  allow(yes) { this.#select.disabled = !yes; }

  // show shows the banner for the mistake of the visible picture, '' for none.
  show(fault) {
    byId('broken').hidden = !fault;
    byId('stage').dataset.broken = fault;
    byId('stage').classList.toggle('flipped', Boolean(fault) && this.#select.value === 'ydown');
    byId('broken-fault').textContent = fault ? `${fault} ${this.#chosen?.effect ?? ''}` : '';
    byId('broken-count').textContent = '';
    byId('broken-scene').hidden = true;
  }

  // count shows how many pixels are wrong. If none is, it offers a scene that shows the mistake.
  count(wrong, all) {
    const [some, of] = [wrong, all].map((n) => n.toLocaleString('en'));
    byId('broken-count').textContent = wrong === 0 ? `None of the ${of} pixels of this scene is wrong.` : `${some} of ${of} pixels ${wrong === 1 ? 'is' : 'are'} wrong.`;
    byId('broken-scene').hidden = wrong > 0;
  }
}
