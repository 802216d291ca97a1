// Drafts are the edited texts of this tab, one per document. They survive a reload, and leaving the
// page and coming back.
import { tabStore } from './storage.js';

const keyOf = (document) => `pillbox-draft ${document.file ? `file ${document.name}` : document.key}`;

// keepDraft stores the text of a document with the base of the document. If the text has no edits, it
// removes the draft. It returns false if the browser did not store the draft.
export function keepDraft(document, text) {
  if (text !== document.text) return tabStore.write(keyOf(document), JSON.stringify({ base: document.base, text }));
  tabStore.remove(keyOf(document));
  return true;
}

// draftOf returns {base, text}: the edited text of a document, and the base of the document when it was
// edited. It returns null if the document has no draft.
export function draftOf(document) {
  try {
    const draft = JSON.parse(tabStore.read(keyOf(document)));
    return typeof draft?.text === 'string' ? draft : null;
  } catch {
    return null;
  }
}

// fingerprint returns the length and a 53-bit hash of a text.
export function fingerprint(text) {
  let a = 0xdeadbeef, b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 0x9e3779b1);
    b = Math.imul(b ^ c, 0x5f356495);
    a ^= b >>> 15;
    b ^= a >>> 13;
  }
  return `${text.length}-${((b >>> 0) % 0x200000).toString(36)}-${(a >>> 0).toString(36)}`;
}
