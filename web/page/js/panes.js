// On narrow windows text and explanation take turns below the picture.
import { byId } from './dom.js';

const NAMES = ['text', 'why'];

export function initPanes() {
  for (const name of NAMES) byId(`tab-${name}`).addEventListener('click', () => showPane(name));
  showPane('text');
}

// showPane brings one to the front; on wide windows both are to be seen anyway.
export function showPane(pane) {
  document.body.dataset.pane = pane;
  for (const name of NAMES) byId(`tab-${name}`).setAttribute('aria-pressed', String(name === pane));
}
