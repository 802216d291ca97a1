// download hands a Blob to the browser as a file.
import { make } from './dom.js';

export function download(blob, name) {
  const href = URL.createObjectURL(blob);
  make('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
