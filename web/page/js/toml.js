// Syntax highlighting for TOML, line by line. It accepts any text, valid or not; the engine reports
// errors.
import { StreamLanguage } from '../vendor/codemirror.js';

const VALUE = [
  [/^[+-]?(?:inf|nan)\b/, 'number'],
  [/^[+-]?0[xob][0-9a-fA-F_]+/, 'number'],
  [/^[+-]?\d[\d_]*(?:\.[\d_]+)?(?:[eE][+-]?\d+)?/, 'number'],
  [/^(?:true|false)\b/, 'bool'],
];

// string reads to the end of a string or of the line. Only strings in three quotes continue on the next
// line.
function string(stream, state) {
  while (!stream.eol()) {
    if (stream.match(state.quote)) {
      state.quote = '';
      return;
    }
    if (stream.next() === '\\' && state.quote[0] === '"') stream.next();
  }
  if (state.quote.length < 3) state.quote = '';
}

function token(stream, state) {
  if (stream.sol() && !state.quote && state.open.length === 0) state.value = false;
  if (state.quote) {
    string(stream, state);
    return 'string';
  }
  if (stream.eatSpace()) return null;
  if (stream.match(/^#.*/)) return 'comment';
  if (!state.value && state.open.length === 0 && stream.match(/^\[.*?(?:\]+|$)/)) return 'heading';
  if (!state.value && stream.match(/^(?:[\w-]+|"[^"]*"|'[^']*')/)) return 'propertyName';
  const quote = stream.match(/^(?:"""|'''|"|')/);
  if (quote) {
    state.quote = quote[0];
    string(stream, state);
    return 'string';
  }
  for (const [pattern, style] of VALUE) if (stream.match(pattern)) return style;
  return punctuation(stream.next(), state);
}

// punctuation tracks the open brackets, and whether a value or a key comes next.
function punctuation(c, state) {
  if (c === '{' || c === '[') state.open.push(c);
  if (c === '}' || c === ']') state.open.pop();
  if (c === '=' || c === '[') state.value = true;
  if (c === '{') state.value = false;
  if (c === ',') state.value = state.open.at(-1) !== '{';
  return c === '=' ? 'operator' : 'bracket';
}

export const toml = StreamLanguage.define({
  name: 'toml',
  startState: () => ({ quote: '', value: false, open: [] }),
  copyState: (state) => ({ ...state, open: state.open.slice() }),
  token,
  languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['[', '{', '"'] } },
});
