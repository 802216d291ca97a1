// Questions that the reader answers before the explanation. The engine computes the answer when the reader has chosen.
import { compare } from './compare.js';
import { make } from './dom.js';

const DONE = { true: 'Right', false: 'Not so' };

// card returns the element of a question. request(choice) sends the question to the engine, without a choice to get
// only its text. pick() resolves with the solid that the reader clicks in the picture, -1 for none. preview(line) shows
// the pixel of the question in the picture, and the line of its ray, until preview(null). reveal(result) opens the scene and the
// explanation that the question is about, once it is answered. turn() brings the explanation in front of the lesson in narrow
// windows; it is null if there is no explanation. isFirst shows the line without waiting for the pointer or the focus.
export function card(number, subject, { request, pick, preview, reveal, turn, isFirst }) {
  const verdict = make('p', { className: 'verdict', role: 'status' });
  const box = make('div', { className: 'choices' });
  const data = make('ul', { className: 'given' }), text = make('p', { className: 'question' }, '…');
  let line = null; // null until the question arrives
  const why = make('button', { type: 'button', className: 'turn', hidden: true }, 'Show why');
  const both = make('button', { type: 'button', className: 'both', hidden: true }, 'Compare both scenes');
  const element = make('section', { className: 'predict', 'aria-label': `Question ${number}` },
    make('p', { className: 'about' }, `Predict ${number}: ${subject}`), data, text, box, verdict, make('div', { className: 'after' }, both, why));

  const isAnswered = () => element.dataset.right !== undefined;
  for (const type of ['pointerenter', 'focusin']) element.addEventListener(type, () => { if (line !== null && !isAnswered()) preview({ line, isOver: true }); });
  for (const type of ['pointerleave', 'focusout']) element.addEventListener(type, () => preview(null));

  let asked = 0; // the number of choices; only the answer to the last one is shown
  async function choose(choice, buttons) {
    const number = asked += 1;
    verdict.textContent = 'Computing …';
    let result;
    try {
      result = await request(choice);
    } catch (error) {
      if (number === asked) verdict.textContent = error.message;
      return;
    }
    if (number !== asked) return;
    const { right, answer, choices, why: numbers, compared } = result;
    element.dataset.right = right;
    buttons.forEach((button, i) => {
      button.setAttribute('aria-pressed', String(i === choice));
      button.dataset.answer = i === answer ? 'right' : i === choice ? 'wrong' : '';
    });
    verdict.textContent = `${DONE[right]}: ${choices[answer].text}.${numbers ? ` ${numbers}` : ''}`;
    why.hidden = !turn;
    why.onclick = () => {
      reveal(result);
      turn();
    };
    both.hidden = !compared;
    both.onclick = () => compare(text.textContent, compared);
    (why.checkVisibility() ? why : verdict).scrollIntoView({ block: 'nearest' });
    reveal(result);
  }

  async function show() {
    const question = await request(), { choices } = question;
    line = question.line ?? undefined;
    data.replaceChildren(...question.given.map((given) => make('li', {}, given)));
    text.textContent = question.text;
    if (isFirst) preview({ line });
    const buttons = choices.map((choice, i) => make('button', { type: 'button', 'aria-pressed': 'false', onclick: () => choose(i, buttons) }, choice.text));
    box.replaceChildren(...buttons);
    if (!choices.some(({ object }) => object !== undefined)) return;
    box.append(make('button', {
      type: 'button',
      className: 'pick',
      onclick: async ({ currentTarget }) => {
        verdict.textContent = 'Click the picture, or move the crosshair there and press Enter.';
        const object = await pick(currentTarget);
        const choice = choices.findIndex((other) => other.object === object);
        if (choice < 0) verdict.textContent = 'That solid is not among the choices.';
        else choose(choice, buttons);
      },
    }, 'Click it in the picture'));
  }

  show().catch((error) => { text.textContent = error.message; });
  return element;
}
