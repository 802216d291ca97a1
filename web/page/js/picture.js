// The picture: a canvas, and the exact pixels that the engine sent.

export class Picture {
  #canvas;
  #context;
  #covered = 0; // number of pixels in full resolution
  #onProgress;

  constructor(canvas, onProgress) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    this.#onProgress = onProgress;
    this.width = canvas.width;
    this.height = canvas.height;
    this.pixels = null;
    this.broken = ''; // the mistake in the picture, in words; '' if it is right
  }

  // begin prepares for a picture. The previous one stays until the first part arrives.
  begin({ width, height, broken = '' }) {
    this.#fit(width, height);
    this.broken = broken;
    if (width !== this.width || height !== this.height || !this.pixels) {
      this.width = this.#canvas.width = width;
      this.height = this.#canvas.height = height;
      this.pixels = new Uint8ClampedArray(4 * width * height);
    }
    this.#covered = 0;
    this.#onProgress(0);
  }

  // clear removes the picture.
  clear() {
    this.#context.clearRect(0, 0, this.width, this.height);
    this.pixels = null;
    this.#covered = 0;
    this.#onProgress(0);
  }

  // fit sets the shape of the picture on the page. If a pixel covers several screen pixels, it is
  // drawn with sharp edges.
  #fit(width, height) {
    const stage = this.#canvas.parentElement;
    stage.parentElement.style.setProperty('--ratio', width / height); // the labels have the same shape
    stage.classList.toggle('large', stage.getBoundingClientRect().width >= 1.8 * width);
  }

  draw({ x, y, w, h, step, data }) {
    const columns = Math.ceil(w / step), rows = Math.ceil(h / step);
    const image = new ImageData(data, columns, rows);
    if (step === 1) {
      this.#context.putImageData(image, x, y);
      this.#keep(x, y, w, h, data);
      this.#covered += w * h;
      this.#onProgress(this.#covered / (this.width * this.height));
      return;
    }
    const small = new OffscreenCanvas(columns, rows);
    small.getContext('2d').putImageData(image, 0, 0);
    this.#context.clearRect(x, y, w, h);
    this.#context.drawImage(small, x, y, columns * step, rows * step);
  }

  #keep(x, y, w, h, data) {
    for (let row = 0; row < h; row++) {
      this.pixels.set(data.subarray(4 * w * row, 4 * w * (row + 1)), 4 * ((y + row) * this.width + x));
    }
  }

  // at returns the pixel below a point of the window, kept inside the picture.
  at(clientX, clientY) {
    const box = this.#canvas.getBoundingClientRect();
    const along = (from, length, size) => Math.max(0, Math.min(size - 1, Math.floor((from / length) * size)));
    return [along(clientX - box.left, box.width, this.width), along(clientY - box.top, box.height, this.height)];
  }

  // color returns [r, g, b, a] of a pixel.
  color([x, y]) {
    const at = 4 * (y * this.width + x);
    return this.pixels ? [...this.pixels.subarray(at, at + 4)] : [0, 0, 0, 0];
  }
}
