// The engine of `render serve`: every request is a POST, and a picture is one streamed response.
import { Failure } from './failure.js';
import { Splitter, dispatch } from './frames.js';
import { aborted } from './failure.js';

const RETRY = 1000; // ms between attempts to reach a server that does not answer
const GATEWAY = [502, 504]; // statuses with which a proxy reports that its server does not answer

const failure = (message) => new Failure(0, { error: { message } });

export function httpEngine(token) {
  const headers = { 'Content-Type': 'application/json' };
  if (token) headers.Authorization = `Bearer ${token}`;
  let watcher = {};
  let lost = null; // resolves when the server answers again

  async function post(name, body, signal) {
    const response = await fetch(`api/${name}`, { method: 'POST', headers, body: JSON.stringify(body), signal }).catch((error) => {
      if (aborted(error)) throw error;
      return null;
    });
    if (response?.ok) return response;
    if (response && !GATEWAY.includes(response.status)) throw new Failure(response.status, await response.json().catch(() => null));
    lost ??= reconnect();
    throw failure('the server does not answer');
  }

  async function call(name, body, signal) {
    const response = await post(name, body, signal);
    return response.json().catch((error) => { throw aborted(error) ? error : failure('the connection to the server was lost'); });
  }

  // reconnect repeats the request 'start' until the server answers.
  async function reconnect() {
    watcher.onLost?.();
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, RETRY));
      try {
        const about = await call('start', {});
        lost = null;
        watcher.onBack?.(about);
        return;
      } catch (error) {
        if (error.status > 0) watcher.onRefused?.(error.message);
      }
    }
  }

  async function render(body, listener, signal) {
    const reader = (await post('render', body, signal)).body.getReader();
    const splitter = new Splitter();
    for (;;) {
      const { value, done } = await reader.read().catch((error) => { throw aborted(error) ? error : brokenOff(); });
      if (done) throw brokenOff();
      for (const frame of splitter.push(value)) {
        const last = dispatch(frame, listener);
        if (last?.error) throw new Failure(500, last.error);
        if (last?.done) return last.done;
      }
    }
  }

  // brokenOff returns the failure for a picture that ended too early, and checks whether the server
  // still answers.
  function brokenOff() {
    call('start', {}).catch(() => {});
    return failure('the picture is incomplete: the connection to the server was lost');
  }

  return {
    kind: 'http',
    call,
    render,
    watch: (callbacks) => { watcher = callbacks; },
    reachable: async () => { await lost; },
  };
}
