import { signal } from '@preact/signals';

type Theme = 'dark' | 'light';

const system = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = signal<Theme>(system.matches ? 'dark' : 'light');
const chosen = signal(document.documentElement.dataset['theme'] as Theme | undefined);
system.addEventListener('change', () => (systemTheme.value = system.matches ? 'dark' : 'light'));

/** Dark or light; who goes back to the system's own theme follows the system again. */
export function ThemeButton() {
  const other = otherTheme();
  const word = other === 'dark' ? 'Dark theme' : 'Light theme';
  return (
    <button
      type="button"
      class="quiet theme"
      aria-label={word}
      title={word}
      onClick={() => chooseTheme(other)}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        {other === 'dark' ? (
          <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z" />
        ) : (
          <path d="M12 7.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5" />
        )}
      </svg>
    </button>
  );
}

/** The theme that is not shown now. */
export const otherTheme = (): Theme => ((chosen.value ?? systemTheme.value) === 'dark' ? 'light' : 'dark');

export function chooseTheme(theme: Theme): void {
  chosen.value = theme === systemTheme.value ? undefined : theme;
  const { dataset } = document.documentElement;
  if (chosen.value) dataset['theme'] = chosen.value;
  else delete dataset['theme'];
  try {
    if (chosen.value) localStorage.setItem('theme', chosen.value);
    else localStorage.removeItem('theme');
  } catch {
    // Storage is switched off: the choice lasts as long as the page.
  }
}
