// Formats numbers for the page.

export const seconds = (s) => (s < 0.9995 ? `${Math.round(1000 * s)} ms` : `${s.toFixed(1)} s`);

export const amount = (x) => Number(x.toPrecision(3)).toString();

export const counted = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;

// rounded returns a count with a noun: 1 ray, 999 rays, 12 thousand rays, 1.5 million rays.
export function rounded(n, noun) {
  if (n < 1000) return counted(n, noun);
  const [share, name] = n < 999_500 ? [n / 1e3, 'thousand'] : n < 999_950_000 ? [n / 1e6, 'million'] : [n / 1e9, 'billion'];
  return `${share.toFixed(name === 'thousand' ? 0 : 1)} ${name} ${noun}s`;
}
