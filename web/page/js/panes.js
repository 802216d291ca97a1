// In narrow windows, either the text or the explanation is shown below the picture.
import { byId } from './dom.js';

const NAMES = ['text', 'why'];

export function initPanes() {
  for (const name of NAMES) byId(`tab-${name}`).addEventListener('click', () => showPane(name));
  showPane('text');
}

// showPane shows the text or the explanation; in wide windows both are always visible.
export function showPane(pane) {
  document.body.dataset.pane = pane;
  for (const name of NAMES) byId(`tab-${name}`).setAttribute('aria-pressed', String(name === pane));
}
