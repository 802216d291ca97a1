// Syntax highlighting for JavaScript, line by line. It accepts any text, valid or not.
import { HighlightStyle, StreamLanguage, syntaxHighlighting, tags } from '../../vendor/codemirror.js';

const KEYWORDS = new Set(`async await break case catch class const continue debugger default delete do else export extends finally for
  function if import in instanceof let new of return static super switch this throw try typeof var void while yield`.split(/\s+/));
const CONSTANTS = new Set(['true', 'false', 'null', 'undefined', 'NaN', 'Infinity']);
const NUMBER = /^(?:0[xXbBoO][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)n?/;

// quoted reads to the end of a string, or of the line. Only templates continue on the next line.
function quoted(stream, state) {
  while (!stream.eol()) {
    const c = stream.next();
    if (c === '\\') stream.next();
    else if (c === state.quote) {
      state.quote = '';
      return 'string';
    }
  }
  if (state.quote !== '`') state.quote = '';
  return 'string';
}

function comment(stream, state) {
  state.comment = !stream.match(/^.*?\*\//);
  if (state.comment) stream.skipToEnd();
  return 'comment';
}

function token(stream, state) {
  if (state.comment) return comment(stream, state);
  if (state.quote) return quoted(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match(/^\/\/.*/)) return 'comment';
  if (stream.match('/*')) return comment(stream, state);
  if (stream.match(NUMBER)) return 'number';
  const word = stream.match(/^[A-Za-z_$][\w$]*/)?.[0];
  if (word) return KEYWORDS.has(word) ? 'keyword' : CONSTANTS.has(word) ? 'bool' : stream.match(/^\s*\(/, false) ? 'propertyName' : null;
  const c = stream.next();
  if (c === '"' || c === "'" || c === '`') {
    state.quote = c;
    return quoted(stream, state);
  }
  return /[[\]{}()]/.test(c) ? 'bracket' : 'operator';
}

const language = StreamLanguage.define({
  name: 'javascript',
  startState: () => ({ quote: '', comment: false }),
  copyState: (state) => ({ ...state }),
  token,
  languageData: { commentTokens: { line: '//' }, closeBrackets: { brackets: ['(', '[', '{', '"', '`'] } },
});

export const javascript = [language, syntaxHighlighting(HighlightStyle.define([{ tag: tags.keyword, color: 'var(--code-table)', fontWeight: '600' }]))];
