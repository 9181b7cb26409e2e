import { render } from 'preact';
import { followLinks } from '../router.ts';
import { ThemeButton } from '../shell/theme-button.tsx';
import { Visitor } from '../shell/visitor.tsx';
import { wasSignedIn } from '../signed-in-mark.ts';
import { readAccess } from './access.ts';
import { apiDocument } from './loaded.ts';
import { Reference } from './reference.tsx';

followLinks(/^\/docs(\/|$)/);
void apiDocument.reload();
// Who never signed in here is not asked who they are: the answer would be a refusal that the browser complains of.
if (wasSignedIn()) void readAccess();

for (const [selector, part] of [
  ['#theme', <ThemeButton />],
  ['#visitor', <Visitor />],
  ['#page', <Reference />],
] as const) {
  const holder = document.querySelector(selector);
  if (!holder) throw new Error(`The document has no ${selector}`);
  render(part, holder);
}
