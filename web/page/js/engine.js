// The engine renders, checks and explains. There are two behind one interface:
//
//   kind                                  'http' or 'wasm'
//   call(name, body, signal)              a request and its answer, both JSON
//   render(body, listener, signal)        a picture, in parts: listener.head, listener.pixels;
//                                         returns what is known at its end
//
// Both throw a Failure for what the engine refuses, and an AbortError once signal says so. The
// requests are those of package play.
import { httpEngine } from './engine-http.js';
import { wasmEngine } from './engine-wasm.js';

// connect returns the engine of this page, and what it says of itself.
export async function connect(token) {
  const fixed = document.querySelector('meta[name=pillbox-engine]')?.content;
  const engine = fixed === 'wasm' ? await wasmEngine() : httpEngine(token);
  return { engine, about: await engine.call('start', {}) };
}
