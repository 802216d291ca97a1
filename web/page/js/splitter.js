// The bar between text and picture, moved by the pointer or by arrow keys.
import { byId } from './dom.js';
import { siteStore } from './storage.js';

const LEAST = 20, MOST = 70; // percent of the window's width
const USUAL = { two: 40, three: 30 }; // percent, by the number of columns
const KEY = 'pillbox-split';

export function initSplitter() {
  const bar = byId('splitter'), work = byId('work');
  const show = (percent) => {
    const share = Math.max(LEAST, Math.min(MOST, percent));
    work.style.setProperty('--split', `${share}%`);
    bar.setAttribute('aria-valuenow', Math.round(share));
    return share;
  };
  const set = (percent) => siteStore.write(KEY, show(percent));
  bar.setAttribute('aria-valuemin', LEAST);
  bar.setAttribute('aria-valuemax', MOST);
  show(Number(siteStore.read(KEY)) || (matchMedia('(min-width: 1280px)').matches ? USUAL.three : USUAL.two));
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
