// Runs a learner's program on the questions of a stage.
import { confined, script } from './sandbox.js';

// Firefox does not pass the message of a syntax error on.
const UNNAMED = 'SyntaxError: the program cannot be read. The console of the browser states the line.';

export const PATIENCE = 10; // s without an answer after which a program is ended, as in `render grade`

// run asks a program the questions of a stage, or of its canvas. It resolves, never rejects, with
//
//   answers   the answers so far, in order
//   pictures  what the program wrote, by name
//   failure   why not all questions are answered: {kind, message, line}; null if all are. kind is 'missing', 'syntax',
//             'exception', 'late', 'stopped' or 'engine'. line is a line of the program, from 1, or null
//
// ask(from) requests questions from the engine. onLog(text, kind) and onProgress(answered, total) are called meanwhile.
export function run(program, stage, { ask, patience = PATIENCE, signal, onLog, onProgress }) {
  return new Promise((resolve) => {
    const { source, offset } = script(program);
    const lines = program.split('\n').length;
    const answers = [], pictures = {}, asked = [];
    const worker = confined(source);
    let total = Infinity, timer;

    const end = (failure) => {
      clearTimeout(timer);
      worker.terminate();
      signal?.removeEventListener('abort', stop);
      resolve({ answers, pictures, failure });
    };
    const stop = () => end({ kind: 'stopped', message: `You stopped the program${place()}.`, line: null });
    const late = () => end({
      kind: 'late', line: null,
      message: `The program gave no answer for ${patience} ${patience === 1 ? 'second' : 'seconds'} and was ended${place()}. Perhaps a loop does not end.`,
    });
    // place names the question that the program is working on.
    const place = () => {
      const question = asked[answers.length];
      return question ? `, at question ${question.id} (${question.class}: ${question.case})` : '';
    };
    const wait = () => {
      clearTimeout(timer);
      if (answers.length < asked.length) timer = setTimeout(late, 1000 * patience);
    };
    // more sends the worker the next questions.
    const more = async () => {
      try {
        const next = await ask(asked.length);
        if (signal?.aborted) return;
        total = next.total;
        asked.push(...next.questions);
        onProgress(answers.length, total);
        worker.postMessage({ stage, questions: next.questions });
        wait();
        if (asked.length < total) more();
      } catch (error) {
        end({ kind: 'engine', message: error.message, line: null });
      }
    };

    worker.onmessage = ({ data }) => {
      if (typeof data?.answer === 'string' && answers.length < asked.length) {
        answers.push(JSON.parse(data.answer));
        wait();
        onProgress(answers.length, total);
        if (answers.length === total) end(null);
      } else if (typeof data?.log === 'string') onLog(data.log, data.kind);
      else if (data?.picture) pictures[data.picture.name] = written(data.picture);
      else if (data?.missing) end({ kind: 'missing', message: `The program has no function answer.${stage}.`, line: null });
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const message = String(event.message ?? UNNAMED).replace(/^Uncaught /, '');
      const isSyntax = message.startsWith('SyntaxError');
      const line = event.lineno > offset ? Math.min(event.lineno - offset, lines) : null;
      end({ kind: isSyntax ? 'syntax' : 'exception', message: isSyntax ? message : `${message}${place()}`, line });
    };
    signal?.addEventListener('abort', stop, { once: true });
    more();
  });
}

// written returns a picture as the engine expects it.
const written = ({ width, height, pixels }) => ({ width: Math.trunc(width) || 0, height: Math.trunc(height) || 0, pixels: base64(pixels) });

function base64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text);
}
