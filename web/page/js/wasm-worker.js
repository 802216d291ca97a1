// A worker that runs the engine. It gets {module} first and then {id, name, body}, and answers
// each with any number of {id, frame} and one {id, status, body}. A classic script: the loader
// that comes with Go is one.
importScripts('../wasm_exec.js');

const ready = new Promise((resolve) => { globalThis.onPillbox = resolve; });

async function begin(module) {
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  go.run(instance).then(() => postMessage({ broken: 'the engine has stopped; the next request restarts it' }));
}

async function answer({ id, name, body }) {
  const engine = await ready;
  const onFrame = (frame) => {
    const copy = frame.slice(); // the engine may use its memory again
    postMessage({ id, frame: copy }, [copy.buffer]);
  };
  postMessage({ id, ...engine.call(name, body, onFrame) });
}

onmessage = ({ data }) => {
  const work = data.module ? begin(data.module) : answer(data);
  work.catch((error) => postMessage({ broken: String(error) }));
};
