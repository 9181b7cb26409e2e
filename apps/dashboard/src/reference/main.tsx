import { render } from 'preact';
import { followLinks } from '../router.ts';
import { PaletteButton } from '../shell/palette/palette-button.tsx';
import { ThemeButton } from '../shell/theme-button.tsx';
import { AccountEntry } from '../shell/account-entry.tsx';
import { wasSignedIn } from '../signed-in-mark.ts';
import { readAccess } from './access.ts';
import { apiDocument } from './loaded.ts';
import { Reference } from './reference.tsx';

followLinks(/^\/docs(\/|$)/);
void apiDocument.reload();
// Without an earlier sign-in in this browser the session is not read: the browser would report the refusal as an error.
if (wasSignedIn()) void readAccess();

for (const [selector, part] of [
  ['#palette', <PaletteButton />],
  ['#theme', <ThemeButton />],
  ['#account-entry', <AccountEntry />],
  ['#page', <Reference />],
] as const) {
  const holder = document.querySelector(selector);
  if (!holder) throw new Error(`The document has no ${selector}`);
  render(part, holder);
}
