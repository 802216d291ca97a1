// Session is the state of the page: a document, a time, a view, and the question that is explained.

export class Session {
  // The open document: {key, name, file, text, base}. text is its text without the edits made here,
  // base identifies the version of that text, and file is true for the served file.
  document = { key: '', name: 'scene', file: false, text: '', base: '' };
  size = {};       // width, height, antialias, if a lesson sets them
  view = 'color';
  trap = '';       // the mistake that the picture is rendered with, on purpose; '' for none
  time = undefined;
  query = null;    // {pixel}, {ray}, {segment} or {capsules}, perhaps with solid
  blocked = '';    // why the text cannot be rendered and explained; empty if it can
  live = false;    // the pictures of the drag in progress are explained
  dragging = false; // a drag changes the text: pictures are coarse first
  moving = false;  // a drag or an animation is in progress: pictures have one ray per pixel

  constructor(editor) { this.editor = editor; }

  // body returns the fields of every request about the scene, and the fields of more.
  body(more = {}) {
    const body = { text: this.editor.text, ...this.size, ...more };
    if (this.document.file) body.file = true;
    if (this.time !== undefined) body.time = this.time;
    return body;
  }

  // isWithin reports whether a picture of a size contains the pixel of the question, if it has one.
  isWithin({ width, height }) {
    const [x, y] = this.query?.pixel ?? [0, 0];
    return x < width && y < height;
  }

  // mistake is the mistake of the visible picture; undefined for none. Views other than the color have none.
  get mistake() { return (this.view === 'color' && this.trap) || undefined; }

  get valid() { return this.blocked === ''; }

  // isShipped reports whether the text is that of a shipped scene or an example of a lesson.
  get isShipped() { return /^(scene|lesson):/.test(this.document.key) && !this.modified; }

  get modified() { return this.editor.text !== this.document.text; }
}
