// The engine renders, checks and explains. There are two with the same interface:
//
//   kind                            'http' or 'wasm'
//   call(name, body, signal)        sends a request and returns the answer, both JSON
//   render(body, listener, signal)  renders a picture, in parts: listener.head, listener.pixels;
//                                   returns statistics and the hash of the picture
//
// Both throw a Failure for a request that is refused, with status 0 if no server answers, and an
// AbortError after signal is aborted. The requests are those of package play. The engine of a server
// also has
//
//   watch({onLost, onBack, onRefused})  what to call when the server is gone, when it is back (with
//                                       what it says of itself), and when it is back but refuses
//   reachable()                         resolves as soon as the server is not gone
import { httpEngine } from './engine-http.js';
import { wasmEngine } from './engine-wasm.js';

// connect returns the engine of this page, and what it says of itself. onLoad(loaded, total) is
// called while the engine is loaded: bytes, with a total of 0 if that is unknown.
export async function connect(token, onLoad) {
  const fixed = document.querySelector('meta[name=pillbox-engine]')?.content;
  const engine = fixed === 'wasm' ? await wasmEngine(onLoad) : httpEngine(token);
  return { engine, about: await engine.call('start', {}) };
}
