// Reads and writes the fragment of an address, which is the part after #: a scene of the list, a
// lesson, or a compressed text.

// read returns {scene}, {lesson, example} or {text}, with token, view, time, and a query, if the fragment contains them. A
// query is {pixel}, {ray}, {segment} or {capsules}, perhaps with solid.
export async function read(fragment) {
  const found = Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, '')));
  if (found.text) found.text = await inflate(found.text);
  if (found.example !== undefined) found.example = Number(found.example) || 0;
  found.query = query(found);
  if (found.time !== undefined) found.time = Number(found.time) || 0;
  return found;
}

function query({ pixel, ray, segment, capsules, solid }) {
  const found = { pixel: numbers(pixel, 2), ray: numbers(ray, 6), segment: numbers(segment, 6), capsules: capsules?.split(',') };
  if (found.pixel?.some((n) => !Number.isInteger(n) || n < 0)) delete found.pixel;
  if (found.capsules?.length !== 2) delete found.capsules;
  const kind = Object.keys(found).find((key) => found[key]);
  return kind && { [kind]: found[kind], ...(solid ? { solid } : {}) };
}

// numbers returns the n finite numbers of a list; undefined if they are not that many.
function numbers(list, n) {
  const all = list?.split(',').map(Number);
  return all?.length === n && all.every(Number.isFinite) ? all : undefined;
}

// write returns the fragment for a text, with the query, view and time that are shown.
export async function write(text, { query: asked, view, time }) {
  const parts = [`text=${await deflate(text)}`];
  for (const [key, value] of Object.entries(asked ?? {})) parts.push(`${key}=${[value].flat().map(encodeURIComponent).join(',')}`);
  if (view && view !== 'color') parts.push(`view=${encodeURIComponent(view)}`);
  if (time) parts.push(`time=${time}`);
  return `#${parts.join('&')}`;
}

const through = (bytes, transform) => new Response(new Blob([bytes]).stream().pipeThrough(transform));

async function deflate(text) {
  const bytes = new Uint8Array(await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const MOST = 4 << 20; // bytes of text that a link may contain

async function inflate(code) {
  const bytes = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MOST) throw new Error('the text in the link is too long');
  }
}
