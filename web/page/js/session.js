// Session is what the page shows: a document, at a time, in a view, with a question about it.

export class Session {
  // The document that is open: {key, name, file, text, base}. text is its text without the edits made
  // here, base names the version of that text, and file tells the served file from other documents.
  document = { key: '', name: 'scene', file: false, text: '', base: '' };
  size = {};       // width, height, antialias, where a lesson sets them
  view = 'color';
  time = undefined;
  query = null;    // {pixel}, {ray}, {segment} or {capsules}, perhaps with solid
  blocked = '';    // why the text cannot be rendered and explained; empty if it can
  moving = false;  // something is dragged or plays: pictures have one ray per pixel

  constructor(editor) { this.editor = editor; }

  // body returns what every request about the scene contains, and more.
  body(more = {}) {
    const body = { text: this.editor.text, ...this.size, ...more };
    if (this.document.file) body.file = true;
    if (this.time !== undefined) body.time = this.time;
    return body;
  }

  // isWithin reports whether a picture of a size has the pixel of the question, if it is about one.
  isWithin({ width, height }) {
    const [x, y] = this.query?.pixel ?? [0, 0];
    return x < width && y < height;
  }

  get valid() { return this.blocked === ''; }

  get modified() { return this.editor.text !== this.document.text; }
}
