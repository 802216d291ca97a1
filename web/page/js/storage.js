// The browser's storage. If storage is forbidden or full, nothing is stored, and the page works
// without it.

class Store {
  #name;

  constructor(name) { this.#name = name; }

  // read returns the text stored for a key, or null if none exists.
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
      // without storage there is nothing to remove
    }
  }
}

export const tabStore = new Store('sessionStorage'); // of this tab, until it is closed
export const siteStore = new Store('localStorage');  // of all tabs, permanently
