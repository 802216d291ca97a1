// Several lines of text that are inserted at once, for example by dictation. If the browser splits the lines itself, it
// may lose an empty one, and it copies the look of a heading to the new lines as an inline style, which the page's policy
// refuses. So the editor inserts them.
import { EditorView } from '../vendor/codemirror.js';

export const lines = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== 'insertText' || !event.cancelable || !event.data?.includes('\n')) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});
