// Explanations come as text in columns: headings, sentences, equations, each deeper one indented.

const indent = (line) => line.search(/\S/);

// blocks cuts a text into {heading} and {text}, the common indentation of each taken off. A
// heading is a line of its own with something deeper below it.
export function blocks(text) {
  const lines = text.replace(/\s+$/, '').split('\n');
  const found = [];
  let open = [];
  const close = () => {
    const block = dedent(open);
    if (block) found.push({ text: block });
    open = [];
  };
  lines.forEach((line, i) => {
    if (isHeading(lines, i)) {
      close();
      found.push({ heading: line.trim() });
    } else open.push(line);
  });
  close();
  return found;
}

function isHeading(lines, i) {
  if (indent(lines[i]) < 0 || (lines[i - 1] ?? '').trim() || (lines[i + 1] ?? '').trim()) return false;
  return indent(lines[i + 2] ?? '') > indent(lines[i]);
}

function dedent(lines) {
  const least = Math.min(...lines.filter((line) => line.trim()).map(indent));
  return lines.map((line) => line.slice(Number.isFinite(least) ? least : 0)).join('\n').replace(/^\n+|\s+$/g, '');
}
