// The dialog with a link to the scene, which contains the text itself.
import { byId } from './dom.js';
import { write } from './link.js';

const LOCAL = /^(localhost|127\.|\[::1\])/;

export function initShare(session) {
  const dialog = byId('share-dialog'), field = byId('share-link'), note = byId('share-note');
  const copy = async () => {
    field.select();
    const copied = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
    note.textContent = copied ? 'Copied.' : 'Press Ctrl+C to copy it.';
  };
  byId('share').addEventListener('click', async () => {
    const fragment = await write(session.editor.text, { query: session.query, view: session.view, time: session.time });
    field.value = location.href.replace(/#.*/, '') + fragment;
    byId('share-local').hidden = !LOCAL.test(location.host);
    note.textContent = '';
    dialog.showModal();
    await copy();
  });
  byId('share-copy').addEventListener('click', copy);
}
