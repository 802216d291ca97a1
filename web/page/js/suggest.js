// The empty panel proposes pixels of the picture that are worth a click.
import { byId, make } from './dom.js';

const WHY = { shadow: 'Why is it dark here?', mirror: 'What does the mirror show here?', lit: 'Why is it bright here?' };

// suggest fills the empty panel with the pixels that the engine proposes. onChoose receives a pixel.
export async function suggest(engine, body, signal, onChoose) {
  const { pixels } = await engine.call('suggest', body, signal);
  byId('suggestions').replaceChildren(...pixels.map(({ pixel, kind }) => make('li', {}, make('button', {
    type: 'button', onclick: () => onChoose(pixel),
  }, `${WHY[kind]} Pixel ${pixel.join(', ')}`))));
}
