// The timeline of an animated scene.
import { byId } from './dom.js';

const FALLBACK = { duration: 10, fps: 30 }; // for a scene that moves but has no [animation]

export class Timeline {
  #box = byId('timeline');
  #range = byId('time');
  #label = byId('time-now');
  #button = byId('play');
  #show;
  #playing = false;

  // show(time, moving) shows the scene at a time, with fewer rays while it plays, and resolves when
  // the picture is complete.
  constructor(show) {
    this.#show = show;
    this.#range.addEventListener('input', () => {
      this.stop();
      this.#set(Number(this.#range.value));
      show(Number(this.#range.value), false);
    });
    this.#button.addEventListener('click', () => (this.#playing ? this.stop() : this.#play()));
  }

  // fit makes the timeline as long as the scene's film, hides it if nothing moves, and returns the
  // duration in seconds.
  fit(summary) {
    if (this.#box.hidden === Boolean(summary.moves)) this.#box.hidden = !summary.moves;
    const { duration, fps } = summary.animation ?? FALLBACK;
    this.#range.max = duration;
    this.#range.step = 1 / fps;
    if (!summary.moves) this.stop();
    return duration;
  }

  reset(time = 0) {
    this.stop();
    this.#range.value = time;
    this.#set(time);
  }

  stop() {
    if (!this.#playing) return;
    this.#playing = false;
    this.#face();
    this.#show(Number(this.#range.value), false);
  }

  #set(time) {
    this.#label.textContent = `${time.toFixed(2)} s`;
    this.#range.setAttribute('aria-valuetext', `${time.toFixed(2)} seconds`);
  }

  #face() {
    this.#button.setAttribute('aria-label', this.#playing ? 'Pause' : 'Play');
    this.#button.dataset.playing = this.#playing;
  }

  async #play() {
    this.#playing = true;
    this.#face();
    const begin = performance.now() - 1000 * (Number(this.#range.value) % Number(this.#range.max));
    while (this.#playing) {
      const time = ((performance.now() - begin) / 1000) % Number(this.#range.max);
      this.#range.value = time;
      this.#set(time);
      await this.#show(Number(this.#range.value), true);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
}
