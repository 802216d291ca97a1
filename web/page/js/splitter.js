// The bar between text and picture, moved by the pointer or by arrow keys.
import { byId } from './dom.js';
import { siteStore } from './storage.js';

const LEAST = 20, MOST = 70; // percent of the window's width
const KEY = 'pillbox-split';

export function initSplitter() {
  const bar = byId('splitter'), work = byId('work');
  const set = (percent) => {
    const share = Math.max(LEAST, Math.min(MOST, percent));
    work.style.setProperty('--split', `${share}%`);
    bar.setAttribute('aria-valuenow', Math.round(share));
    siteStore.write(KEY, share);
  };
  bar.setAttribute('aria-valuemin', LEAST);
  bar.setAttribute('aria-valuemax', MOST);
  set(Number(siteStore.read(KEY)) || 40);
  bar.addEventListener('pointerdown', (event) => bar.setPointerCapture(event.pointerId));
  bar.addEventListener('pointermove', (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const box = work.getBoundingClientRect();
    set((100 * (event.clientX - box.left)) / box.width);
  });
  bar.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
    if (!by) return;
    event.preventDefault();
    set(Number(bar.getAttribute('aria-valuenow')) + by);
  });
}
