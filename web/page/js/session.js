// Session is what the page shows: a text, at a time, in a view, with a question about it.

export class Session {
  document = { key: '', name: 'scene', file: false, text: '' }; // text: as it was opened or saved
  size = {};      // width, height, antialias, where a lesson sets them
  view = 'color';
  time = undefined;
  query = null;   // {pixel}, {ray}, {segment} or {capsules}, perhaps with solid
  valid = false;  // the text is a scene
  draft = false;  // while something is dragged or plays: one ray a pixel

  constructor(editor) { this.editor = editor; }

  // body returns the part of a request that every request about a scene has, with more.
  body(more = {}) {
    const body = { text: this.editor.text, ...this.size, ...more };
    if (this.document.file) body.file = true;
    if (this.time !== undefined) body.time = this.time;
    return body;
  }

  // isWithin reports whether the question, if it is about a pixel, is about one of such a picture.
  isWithin({ width, height }) {
    const [x, y] = this.query?.pixel ?? [0, 0];
    return x < width && y < height;
  }

  get modified() { return this.editor.text !== this.document.text; }
}
