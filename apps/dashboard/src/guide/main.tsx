import { render } from 'preact';
import { Announcer } from '../parts/announcer.tsx';
import { Copy } from '../parts/copy.tsx';
import { ThemeButton } from '../shell/theme-button.tsx';

/** What a page that is written at build time gets in the browser: the theme’s switch, and a button on each piece of code. */
const theme = document.querySelector('#theme');
if (theme) render(<ThemeButton />, theme);

for (const snippet of document.querySelectorAll('.snippet')) {
  const holder = document.createElement('div');
  snippet.append(holder);
  render(<Copy text={snippet.querySelector('code')?.textContent ?? ''} what="code" />, holder);
}

const said = document.createElement('div');
document.body.append(said);
render(<Announcer />, said);
