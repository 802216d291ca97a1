// A draft keeps what was written in this tab, should the page be loaded again.

const KEY = 'pillbox-draft';

export function keepDraft(session) {
  try {
    if (session.modified) sessionStorage.setItem(KEY, JSON.stringify({ key: session.document.key, text: session.editor.text }));
    else sessionStorage.removeItem(KEY);
  } catch {
    // no room: then there is no draft
  }
}

// draftOf returns what was written in the document with a key, undefined if nothing was.
export function draftOf(key) {
  const draft = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  return draft?.key === key ? draft.text : undefined;
}
