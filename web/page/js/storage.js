// What the browser stores for the page. Storage may be forbidden or full: then nothing is stored,
// and the page works without it.

class Store {
  #name;

  constructor(name) { this.#name = name; }

  // read returns the text of a key, or null if there is none.
  read(key) {
    try {
      return window[this.#name].getItem(key);
    } catch {
      return null;
    }
  }

  // write reports whether the text was stored.
  write(key, text) {
    try {
      window[this.#name].setItem(key, text);
      return true;
    } catch {
      return false;
    }
  }

  remove(key) {
    try {
      window[this.#name].removeItem(key);
    } catch {
      // what cannot be stored is not there
    }
  }
}

export const tabStore = new Store('sessionStorage'); // of this tab, until it is closed
export const siteStore = new Store('localStorage');  // of all tabs, for good
