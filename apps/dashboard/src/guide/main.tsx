import { render } from 'preact';
import { Announcer } from '../parts/announcer.tsx';
import { Copy } from '../parts/copy.tsx';
import { PaletteButton } from '../shell/palette/palette-button.tsx';
import { ThemeButton } from '../shell/theme-button.tsx';
import { AccountEntry } from '../shell/account-entry.tsx';

/** Script of a page that was written at build time: the theme’s switch, sign-in or account, and a copy button on each piece of code. */
for (const [selector, part] of [
  ['#palette', <PaletteButton />],
  ['#theme', <ThemeButton />],
  ['#account-entry', <AccountEntry />],
] as const) {
  const holder = document.querySelector(selector);
  if (holder) render(part, holder);
}

for (const snippet of document.querySelectorAll('.snippet')) {
  const holder = document.createElement('div');
  snippet.append(holder);
  render(<Copy text={snippet.querySelector('code')?.textContent ?? ''} what="code" />, holder);
}

const said = document.createElement('div');
document.body.append(said);
render(<Announcer />, said);
