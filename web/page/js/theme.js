// The theme: light, dark, or as in the system.
import { byId } from './dom.js';
import { siteStore } from './storage.js';

const THEMES = ['auto', 'light', 'dark'];
const NAMES = { auto: 'same as the system', light: 'light', dark: 'dark' };
const KEY = 'pillbox-theme';

const system = matchMedia('(prefers-color-scheme: dark)');
let theme = THEMES.includes(siteStore.read(KEY)) ? siteStore.read(KEY) : 'auto';

export const isDark = () => (theme === 'auto' ? system.matches : theme === 'dark');

const listeners = [];

// onTheme makes the page call listener after every change of the theme, the system's included.
export const onTheme = (listener) => listeners.push(listener);

// initTheme sets up the button. onChange is a listener of onTheme.
export function initTheme(onChange) {
  onTheme(onChange);
  const changed = () => listeners.forEach((listener) => listener());
  const button = byId('theme');
  const show = () => {
    document.documentElement.dataset.theme = theme;
    const label = `Theme: ${NAMES[theme]}`;
    button.title = label;
    button.setAttribute('aria-label', label);
  };
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    siteStore.write(KEY, theme);
    show();
    changed();
  });
  system.addEventListener('change', changed);
  show();
}
