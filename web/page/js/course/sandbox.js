// Runs a learner's program in a worker that can reach no network, storage or page.
//
// The worker is made in an empty frame whose policy forbids everything but workers, and inherits this policy. So the
// browser itself refuses connections and imports, even in workers that the program makes. But the policy does not cover
// storage. So all names of the global object are removed except those of the language and a few harmless ones. A program
// that uses others gets a plain error.

const POLICY = "default-src 'none'; script-src 'none'; connect-src 'none'; worker-src blob:";

// The global names that a program has.
export const ALLOWED = [
  // of the language
  'AggregateError', 'Array', 'ArrayBuffer', 'AsyncDisposableStack', 'Atomics', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean',
  'DataView', 'Date', 'DisposableStack', 'Error', 'EvalError', 'FinalizationRegistry', 'Float16Array', 'Float32Array', 'Float64Array',
  'Function', 'Infinity', 'Int16Array', 'Int32Array', 'Int8Array', 'Intl', 'Iterator', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object',
  'Promise', 'Proxy', 'RangeError', 'ReferenceError', 'Reflect', 'RegExp', 'Set', 'SharedArrayBuffer', 'String', 'SuppressedError',
  'Symbol', 'SyntaxError', 'Temporal', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array', 'Uint8ClampedArray',
  'WeakMap', 'WeakRef', 'WeakSet', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'eval', 'globalThis',
  'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'undefined', 'unescape',
  // of the browser
  'TextDecoder', 'TextEncoder', 'atob', 'btoa', 'clearInterval', 'clearTimeout', 'console', 'performance', 'queueMicrotask', 'self',
  'setInterval', 'setTimeout', 'structuredClone',
];

// confined returns a worker that runs a classic script. Its method terminate also removes the frame.
export function confined(source) {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = 'Confines the program';
  document.body.append(frame);
  const policy = frame.contentDocument.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = POLICY;
  frame.contentDocument.head.append(policy);
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new frame.contentWindow.Worker(address);
  const terminate = worker.terminate.bind(worker);
  worker.terminate = () => {
    terminate();
    URL.revokeObjectURL(address);
    frame.remove();
  };
  return worker;
}

// script returns the script that runs a program: {source, offset}, where offset is the number of lines before the
// program. The script gets messages {stage, questions}, and sends {answer}, {log, kind} and {picture}; {missing} if the
// program has no function for the stage.
export function script(program) {
  const head = `"use strict"; const pillbox$begin = (${prelude})(${JSON.stringify(ALLOWED)});\n`;
  return { source: `${head}${program}\n;pillbox$begin(answer);\n`, offset: head.split('\n').length - 1 };
}

// prelude runs in the worker, before the program. It returns a function that begins to answer questions.
function prelude(allowed) {
  const MOST = 300; // logged messages; more are not shown
  const post = self.postMessage.bind(self), stringify = JSON.stringify, listen = self.addEventListener.bind(self);
  let logged = 0;
  for (let object = globalThis; object !== Object.prototype; object = Object.getPrototypeOf(object)) {
    for (const name of Object.getOwnPropertyNames(object)) {
      if (allowed.includes(name) || Reflect.deleteProperty(object, name)) continue;
      // Only the functions and variables of the program, which exist before it runs, are writable and cannot be removed.
      // Numbers such as TEMPORARY cannot be removed, either, and do no harm.
      const { value, writable } = Object.getOwnPropertyDescriptor(object, name);
      if (!writable && typeof value !== 'number') throw new Error(`${name} cannot be removed`);
    }
  }

  // inspect formats a logged value.
  function inspect(value, depth = 0) {
    if (typeof value === 'string') return depth ? stringify(value) : value;
    if (Object.is(value, -0)) return '-0';
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function') return `function ${value.name}`;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (typeof value !== 'object' || value === null) return String(value);
    if (depth > 4) return '…';
    if (Array.isArray(value) || ArrayBuffer.isView(value)) {
      const shown = Array.from(value).slice(0, 50).map((x) => inspect(x, depth + 1));
      return `[${shown.join(', ')}${value.length > 50 ? ', …' : ''}]`;
    }
    return `{ ${Object.entries(value).slice(0, 50).map(([key, x]) => `${key}: ${inspect(x, depth + 1)}`).join(', ')} }`;
  }

  for (const kind of ['log', 'info', 'debug', 'warn', 'error']) {
    console[kind] = (...values) => {
      if (++logged <= MOST) post({ log: values.map((value) => inspect(value)).join(' '), kind });
      else if (logged === MOST + 1) post({ log: 'More output is not shown.', kind: 'warn' });
    };
  }

  globalThis.answer = {};
  globalThis.writePNG = (name, width, height, pixels) => post({ picture: { name: String(name), width, height, pixels: Uint8Array.from(pixels) } });

  return (answers) => listen('message', ({ data: { stage, questions } }) => {
    if (typeof answers?.[stage] !== 'function') {
      post({ missing: true });
      return;
    }
    for (const question of questions) {
      const { id } = question;
      const given = answers[stage](question);
      if (typeof given?.then === 'function') throw new TypeError(`answer.${stage} must not be async: it must return the answer itself`);
      post({ answer: stringify({ id, ...given }) });
    }
  });
}
