// What the page uses of CodeMirror, as one module.
export { basicSetup } from 'codemirror';
export { ChangeSet, EditorState, Prec, StateEffect, StateField, Transaction } from '@codemirror/state';
export { Decoration, EditorView, ViewPlugin, WidgetType, hoverTooltip, keymap, tooltips } from '@codemirror/view';
export { indentWithTab, isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
export { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
export { autocompletion, pickedCompletion, startCompletion } from '@codemirror/autocomplete';
export { forceLinting, lintGutter, nextDiagnostic, openLintPanel, setDiagnostics } from '@codemirror/lint';
export { openSearchPanel } from '@codemirror/search';
export { tags } from '@lezer/highlight';
