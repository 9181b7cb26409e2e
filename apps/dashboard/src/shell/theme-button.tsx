import { signal } from '@preact/signals';

type Theme = 'dark' | 'light';

const system = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = signal<Theme>(system.matches ? 'dark' : 'light');
const chosen = signal(document.documentElement.dataset['theme'] as Theme | undefined);
system.addEventListener('change', () => (systemTheme.value = system.matches ? 'dark' : 'light'));

/** Dark or light; who goes back to the system's own theme follows the system again. */
export function ThemeButton() {
  const other: Theme = (chosen.value ?? systemTheme.value) === 'dark' ? 'light' : 'dark';
  return (
    <button type="button" class="quiet theme" onClick={() => choose(other)}>
      {other === 'dark' ? 'Dark theme' : 'Light theme'}
    </button>
  );
}

function choose(theme: Theme): void {
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
