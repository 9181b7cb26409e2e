import { render } from 'preact';
import { follow } from './follow.ts';
import { NoLink, Overlay } from './overlay.tsx';
import { readLink } from './overlay-link.ts';

const place = document.querySelector('#page');
if (!place) throw new Error('The document has no #page');
const link = readLink(location.hash);
render(
  link ? (
    <main>
      <Overlay following={follow(link)} look={link} />
    </main>
  ) : (
    <NoLink />
  ),
  place,
);
// A link that is pasted over another changes nothing but what stands behind the `#`.
addEventListener('hashchange', () => location.reload());
