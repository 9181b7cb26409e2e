import { render } from 'preact';
import { App } from './app.tsx';
import { openPaths } from './page-paths.ts';
import { account } from './request.ts';
import { followLinks, place } from './router.ts';
import { wasSignedIn } from './signed-in-mark.ts';
import { readAccount, rememberSignedIn, startClock } from './store.ts';

const isOpenPage = (path: string) => openPaths.some((open) => open === path);

followLinks();
startClock();
rememberSignedIn();
// A stranger who comes to sign in has no session to ask for.
if (isOpenPage(place.peek().path) && !wasSignedIn()) account.value = null;
else void readAccount();

const holder = document.querySelector('#page');
if (!holder) throw new Error('The document has no #page');
render(<App />, holder);
