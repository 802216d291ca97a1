// Completion and help in the editor. Both come from the engine, which contains the schema.
import { EditorState, autocompletion, hoverTooltip, pickedCompletion } from '../vendor/codemirror.js';
import { make } from './dom.js';

const TYPES = { table: 'class', key: 'property', value: 'constant', name: 'variable' };

// assist returns the editor's extensions. ask(name, body, signal) sends a request to the engine.
export function assist(ask) {
  const source = async (context) => {
    const gone = new AbortController();
    context.addEventListener('abort', () => gone.abort());
    const text = context.state.doc.toString();
    const answer = await ask('complete', { text, position: context.pos, explicit: context.explicit }, gone.signal).catch(() => null);
    if (!answer?.options?.length) return null;
    return { from: answer.from, to: answer.to, options: answer.options.map(completion), filter: true };
  };
  return [
    EditorState.languageData.of(() => [{ autocomplete: source }]),
    autocompletion({ icons: false, activateOnTyping: true }),
    hoverTooltip((view, position) => tooltip(ask, view, position), { hoverTime: 350 }),
  ];
}

function completion(option) {
  return {
    label: option.label,
    type: TYPES[option.kind],
    detail: option.detail,
    info: option.info || undefined,
    apply: (view, picked, from, to) => {
      const insert = option.apply ?? option.label;
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + (option.caret ?? insert.length) },
        annotations: pickedCompletion.of(picked),
        userEvent: 'input.complete',
      });
    },
  };
}

async function tooltip(ask, view, position) {
  const help = await ask('hover', { text: view.state.doc.toString(), position }).catch(() => null);
  if (!help?.key) return null;
  return { pos: help.from, end: help.to, above: true, create: () => ({ dom: make('div', { className: 'cm-help' }, ...describe(help)) }) };
}

// describe returns the engine's description of a key as DOM nodes.
export function describe(help) {
  const facts = [help.type, help.range, help.default !== undefined && help.default !== '' ? `default ${help.default}` : ''];
  return [
    make('span', { className: 'cm-help-key' }, help.key),
    make('span', { className: 'cm-help-type' }, `  ${facts.filter(Boolean).join(', ')}`),
    make('div', {}, help.doc ?? ''),
  ];
}
