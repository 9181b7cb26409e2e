import { render } from 'preact';
import { Announcer } from '../parts/announcer.tsx';
import { Copy } from '../parts/copy.tsx';
import { ThemeButton } from '../shell/theme-button.tsx';
import { Visitor } from '../shell/visitor.tsx';

/** What a page that is written at build time gets in the browser: the theme’s switch, the way in, and a button on each piece of code. */
for (const [selector, part] of [
  ['#theme', <ThemeButton />],
  ['#visitor', <Visitor />],
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
