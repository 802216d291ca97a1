// The engine renders, checks and explains. There are two engines with the same interface:
//
//   kind                            'http' or 'wasm'
//   call(name, body, signal)        sends a request and returns the answer, both JSON
//   render(body, listener, signal)  renders a picture, in parts: listener.head, listener.pixels;
//                                   returns statistics and the hash of the picture. If the body
//                                   asks a question, listener.answer gets the answer or {error}
//
// Both throw a Failure for a request that is refused, with status 0 if no server answers, and an
// AbortError after signal is aborted. The requests are those of package play. The engine of a server
// also has
//
//   watch({onLost, onBack, onRefused})  sets callbacks: the server does not answer; it answers again
//                                       (with its answer to 'start'); it answers but refuses
//   reachable()                         resolves as soon as the server answers
import { httpEngine } from './engine-http.js';

// connect returns the engine of this page and its answers to 'start' and 'scenes'. onLoad(loaded, total) is called
// while the engine is loaded, with numbers of bytes; total is 0 if it is unknown.
export async function connect(token, onLoad) {
  const fixed = document.querySelector('meta[name=pillbox-engine]')?.content;
  const engine = fixed === 'wasm' ? await import('./engine-wasm.js').then(({ wasmEngine }) => wasmEngine(onLoad)) : httpEngine(token);
  const [about, list] = await Promise.all([engine.call('start', {}), engine.call('scenes', {})]);
  return { engine, about, list };
}
