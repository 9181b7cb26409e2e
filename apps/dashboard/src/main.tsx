import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './router.ts';
import { readAccount, rememberSignedIn, startClock } from './store.ts';

followLinks();
startClock();
rememberSignedIn();
void readAccount();

const holder = document.querySelector('#page');
if (!holder) throw new Error('The document has no #page');
render(<App />, holder);
