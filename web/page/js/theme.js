// Light, dark, or as the system has it.
import { byId } from './dom.js';

const THEMES = ['auto', 'light', 'dark'];
const NAMES = { auto: 'as the system', light: 'light', dark: 'dark' };
const KEY = 'pillbox-theme';

const system = matchMedia('(prefers-color-scheme: dark)');
let theme = THEMES.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : 'auto';

export const isDark = () => (theme === 'auto' ? system.matches : theme === 'dark');

// initTheme sets the button up; onChange is told of every change, of the system's, too.
export function initTheme(onChange) {
  const button = byId('theme');
  const show = () => {
    document.documentElement.dataset.theme = theme;
    const label = `Theme: ${NAMES[theme]}`;
    button.title = label;
    button.setAttribute('aria-label', label);
  };
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    localStorage.setItem(KEY, theme);
    show();
    onChange();
  });
  system.addEventListener('change', onChange);
  show();
}
