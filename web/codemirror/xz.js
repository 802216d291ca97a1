// What the page uses of xz-decompress, as one module.
export { XzReadableStream } from 'xz-decompress';
