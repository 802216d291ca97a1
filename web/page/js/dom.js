// Helpers for the DOM.

export const byId = (id) => document.getElementById(id);

// make returns a new element. Properties are assigned; those with a dash become attributes. Children
// are nodes or text.
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.includes('-') || name === 'role') element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// makeSVG returns a new SVG element with attributes.
export function makeSVG(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// say shows a message for some seconds. Screen readers read it out.
export function say(text, kind = '') {
  const news = byId('news');
  news.textContent = text;
  news.dataset.kind = kind;
  news.hidden = false;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { news.hidden = true; }, Math.max(4000, 70 * text.length));
}
