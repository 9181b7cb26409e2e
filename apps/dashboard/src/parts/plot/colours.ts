import { signal } from '@preact/signals';

/** The colours of plots by the names of their tokens. */
export interface Colours {
  accent: string;
  ink: string;
  muted: string;
  line: string;
  good: string;
  warn: string;
  bad: string;
}

export type ColourName = keyof Colours;

const names: readonly ColourName[] = ['accent', 'ink', 'muted', 'line', 'good', 'warn', 'bad'];

function read(): Colours {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as unknown as Colours; // prettier-ignore
}

/** The colours of the theme that is shown. A canvas does not follow the style sheet by itself. */
export const colours = signal(read());

const readAgain = () => (colours.value = read());
new MutationObserver(readAgain).observe(document.documentElement, { attributeFilter: ['data-theme'] });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', readAgain);
