// The engine of `render serve`: a request is a POST, and a picture one response that streams.
import { Failure } from './failure.js';
import { Splitter, dispatch } from './frames.js';

export function httpEngine(token) {
  const headers = { 'Content-Type': 'application/json' };
  if (token) headers.Authorization = `Bearer ${token}`;

  async function post(name, body, signal) {
    let response;
    try {
      response = await fetch(`api/${name}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      throw new Failure(0, { error: { message: 'the server does not answer; is render serve still running?' } });
    }
    if (response.ok) return response;
    throw new Failure(response.status, await response.json().catch(() => null));
  }

  async function render(body, listener, signal) {
    const reader = (await post('render', body, signal)).body.getReader();
    const splitter = new Splitter();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Failure(0, { error: { message: 'the picture broke off; the server may have stopped' } });
      for (const frame of splitter.push(value)) {
        const last = dispatch(frame, listener);
        if (last?.error) throw new Failure(500, last.error);
        if (last?.done) return last.done;
      }
    }
  }

  return {
    kind: 'http',
    call: async (name, body, signal) => (await post(name, body, signal)).json(),
    render,
  };
}
