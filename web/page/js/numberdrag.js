// Numbers of the scene in a derivation that can be dragged, or changed with the arrow keys. A drag is the same edit as in
// the text, and one step to undo.
import { say } from './dom.js';

const STEPS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 };
const POSITIVE = /\.(radius|half_extents)$/; // keys whose numbers must be positive
const NEVER_NEGATIVE = /\.intensity$/;
const STEPS_TO_ZERO = 100; // at least so many steps from the largest number to zero, and at most two and a half times as many

// grainOf returns the step by which numbers change: 1, 2 or 5 times a power of ten.
function grainOf(numbers) {
  const largest = Math.max(...numbers.map(Math.abs)) || 1;
  const place = 10 ** Math.floor(Math.log10(largest)) / STEPS_TO_ZERO;
  return place * [5, 2, 1].find((times) => times * place * STEPS_TO_ZERO <= largest * (1 + Number.EPSILON));
}

// placeOf returns {key, numbers, i} for a number of the scene: its key, the numbers of the key, and its index.
function placeOf(element) {
  const holder = element.closest('[data-key]');
  const all = holder.matches('data') ? [holder] : [...holder.querySelectorAll('data.number')];
  return { key: holder.dataset.key, numbers: all.map((data) => Number(data.value)), i: all.indexOf(element) };
}

// changed returns the value of a key after its number i has changed by the given number of steps.
function changed({ key, numbers, i }, steps) {
  const grain = grainOf(numbers);
  const exact = Math.round(numbers[i] / grain + steps) * grain;
  const least = POSITIVE.test(key) ? grain : NEVER_NEGATIVE.test(key) ? 0 : -Infinity;
  const value = Number(Math.max(least, exact).toPrecision(12));
  return numbers.length === 1 ? value : numbers.map((number, at) => (at === i ? value : number));
}

// equip makes the numbers of the scene in an element draggable.
export function equip(element) {
  for (const holder of element.querySelectorAll('[data-key]')) {
    const all = holder.matches('data') ? [holder] : holder.querySelectorAll('data.number');
    all.forEach((data, i) => {
      data.tabIndex = 0;
      data.classList.add('drag');
      data.setAttribute('role', 'spinbutton');
      data.setAttribute('aria-valuenow', data.value);
      data.setAttribute('aria-label', `${holder.dataset.key}${all.length > 1 ? ` ${'xyz'[i]}` : ''}`);
    });
  }
}

let drag = null; // in progress

// heldKey returns the key of the number in an element that is dragged or has the focus; '' for none.
export function heldKey(element) {
  const number = document.activeElement?.closest?.('data.drag');
  return drag?.key ?? (number && element.contains(number) ? placeOf(number).key : '');
}

// initNumberDrag changes the numbers in an element. begin() starts a gesture whose pictures are explained while it lasts.
// The element may replace its content meanwhile.
export function initNumberDrag(element, begin) {
  element.addEventListener('pointerdown', (event) => {
    const number = event.target.closest?.('data.drag');
    if (!number || event.button !== 0) return;
    event.preventDefault();
    number.focus();
    drag = { ...placeOf(number), from: event.clientX, id: event.pointerId, gesture: null };
  });
  addEventListener('pointermove', (event) => {
    if (event.pointerId !== drag?.id) return;
    const steps = Math.round(event.clientX - drag.from);
    if (!drag.gesture && steps === 0) return;
    drag.gesture ??= begin();
    drag.gesture.update('edit', { set: [{ key: drag.key, value: changed(drag, steps) }] });
  });
  for (const type of ['pointerup', 'pointercancel']) {
    addEventListener(type, (event) => {
      if (event.pointerId !== drag?.id) return;
      drag.gesture?.end();
      drag = null;
    });
  }
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !drag) return;
    event.preventDefault();
    event.stopPropagation();
    drag.gesture?.cancel();
    drag = null;
  }, true);
  let keys = Promise.resolve();
  element.addEventListener('keydown', (event) => {
    const steps = STEPS[event.key], number = event.target.closest?.('data.drag');
    if (!steps || !number || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const place = placeOf(number);
    keys = keys.then(async () => {
      const gesture = begin();
      gesture.update('edit', { set: [{ key: place.key, value: changed(place, event.shiftKey ? 10 * steps : steps) }] });
      await gesture.end();
    }).catch((error) => say(error.message, 'bad'));
  });
}

// focusOf returns a function that focuses the number that has the focus now, if the content of an element was replaced
// since.
export function focusOf(element) {
  const number = document.activeElement?.closest?.('data.drag');
  if (!number || !element.contains(number)) return () => {};
  const { key, i } = placeOf(number);
  const alike = () => [...element.querySelectorAll('data.drag')].filter((data) => placeOf(data).key === key && placeOf(data).i === i);
  const nth = alike().indexOf(number);
  return () => {
    const now = alike();
    if (now.includes(number) && number === document.activeElement) return;
    (now[nth] ?? now[0])?.focus({ preventScroll: true });
  };
}
