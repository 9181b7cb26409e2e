import { signal } from '@preact/signals';

type Theme = 'dark' | 'light';

const { dataset } = document.documentElement;
const themeNow = (): Theme => (dataset['theme'] === 'dark' ? 'dark' : 'light');
const system = matchMedia('(prefers-color-scheme: dark)');
const shown = signal(themeNow());
// `theme.js` heard of it before and has set it.
system.addEventListener('change', () => (shown.value = themeNow()));

/** Dark or light; who goes back to the system's own theme follows the system again. */
export function ThemeButton() {
  const other: Theme = shown.value === 'dark' ? 'light' : 'dark';
  const word = other === 'dark' ? 'Dark theme' : 'Light theme';
  return (
    <button type="button" class="quiet theme" aria-label={word} title={word} onClick={() => choose(other)}>
      <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
        {other === 'dark' ? (
          <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z" />
        ) : (
          <path d="M12 7.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5" />
        )}
      </svg>
    </button>
  );
}

function choose(theme: Theme): void {
  dataset['theme'] = theme;
  shown.value = theme;
  try {
    if (theme === (system.matches ? 'dark' : 'light')) localStorage.removeItem('theme');
    else localStorage.setItem('theme', theme);
  } catch {
    // Storage is switched off: the choice lasts until the page is loaded again, or the system's theme changes.
  }
}
