// A render is a sequence of frames: a byte for the type, then the payload.

const HEAD = 1, PIXELS = 2, DONE = 3, ERROR = 4, ANSWER = 5;

const json = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

// dispatch passes one frame to the listener {head, pixels, answer}. It returns {done} or {error} for the
// last frame, and undefined for others.
export function dispatch(frame, listener) {
  const payload = frame.subarray(1);
  switch (frame[0]) {
    case HEAD: listener.head?.(json(payload)); return undefined;
    case PIXELS: listener.pixels(pixels(payload)); return undefined;
    case ANSWER: listener.answer(json(payload)); return undefined;
    case DONE: return { done: json(payload) };
    case ERROR: return { error: json(payload) };
    default: throw new Error(`a frame of the unknown type ${frame[0]}`);
  }
}

// pixels reads a rectangle: every pixel of data represents step x step pixels of the picture.
function pixels(payload) {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const [x, y, w, h, step] = [0, 2, 4, 6, 8].map((at) => view.getUint16(at, true));
  const data = new Uint8ClampedArray(payload.buffer, payload.byteOffset + 10, payload.byteLength - 10);
  return { x, y, w, h, step, data };
}

// Splitter cuts a stream of bytes into frames. Each frame begins with its length.
export class Splitter {
  #buffer = new Uint8Array(1 << 16);
  #length = 0;

  // push takes the next bytes and returns the frames that they complete.
  push(bytes) {
    this.#reserve(this.#length + bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    const frames = [];
    const view = new DataView(this.#buffer.buffer);
    let at = 0;
    while (this.#length - at >= 4) {
      const end = at + 4 + view.getUint32(at, true);
      if (end > this.#length) break;
      frames.push(this.#buffer.slice(at + 4, end));
      at = end;
    }
    this.#buffer.copyWithin(0, at, this.#length);
    this.#length -= at;
    return frames;
  }

  #reserve(length) {
    if (length <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
