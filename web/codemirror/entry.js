// What the page uses of CodeMirror, as one module.
export { basicSetup } from 'codemirror';
export { EditorState, StateEffect, StateField, Transaction } from '@codemirror/state';
export { Decoration, EditorView, ViewPlugin, WidgetType, hoverTooltip, keymap, tooltips } from '@codemirror/view';
export { isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
export { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
export { autocompletion, pickedCompletion } from '@codemirror/autocomplete';
export { lintGutter, nextDiagnostic, setDiagnostics } from '@codemirror/lint';
export { tags } from '@lezer/highlight';
