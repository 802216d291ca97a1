// Helpers for the DOM.

export const byId = (id) => document.getElementById(id);

// rest resolves after a time.
export const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

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

// renew gives an element the children of another, and keeps its own where they have the same form: the focus stays, and
// the browser lays out less. Listeners of kept elements stay, too.
export function renew(element, { childNodes }) {
  const old = [...element.childNodes], fresh = [...childNodes];
  fresh.forEach((node, i) => (i < old.length ? renewNode(old[i], node) : element.append(node)));
  for (const node of old.slice(fresh.length)) node.remove();
}

function renewNode(old, fresh) {
  if (old.nodeName !== fresh.nodeName) {
    old.replaceWith(fresh);
  } else if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
  } else {
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) === value) continue;
      if (name === 'style') old.style.cssText = value; // the page's policy forbids to set the attribute
      else old.setAttribute(name, value);
    }
    renew(old, fresh);
  }
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

// imageOf returns a diagram as an image, decoded. In an image, its content cannot run scripts.
export async function imageOf(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await image.decode().catch(() => {}); // then it appears later
  return image;
}
