// Finds the lines in which two texts differ.

const MOST = 4e6; // pairs of lines that are compared

// differences marks the lines of a and of b that are not part of a longest common subsequence. If
// computing that would take too long, it marks all lines between the first and the last that differ.
export function differences(a, b) {
  let from = 0, end = 0;
  const most = Math.min(a.length, b.length);
  while (from < most && a[from] === b[from]) from++;
  while (end < most - from && a.at(-1 - end) === b.at(-1 - end)) end++;
  const middle = (lines) => lines.map((_, i) => i >= from && i < lines.length - end);
  const differs = { a: middle(a), b: middle(b) };
  const n = a.length - end - from, m = b.length - end - from;
  if (n * m <= MOST) keepCommon(differs, a.slice(from, from + n), b.slice(from, from + m), from);
  return differs;
}

// keepCommon removes the marks from a longest common subsequence of the lines starting at from.
function keepCommon(differs, a, b, from) {
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width); // at [i, j]: the length of the longest common subsequence of a from i and b from j
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? 1 + common[(i + 1) * width + j + 1]
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      differs.a[from + i++] = differs.b[from + j++] = false;
    } else if (common[(i + 1) * width + j] >= common[i * width + j + 1]) i++;
    else j++;
  }
}
