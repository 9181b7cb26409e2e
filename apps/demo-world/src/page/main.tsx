import { render } from 'preact';
import { openLiveLink } from './live-link.ts';
import { Page } from './page.tsx';

const place = document.querySelector('#page');
if (!place) throw new Error('The document has no #page');

const settings = new URLSearchParams(location.search);
if (settings.has('own')) {
  // The engine is loaded only by a page that runs a world of its own.
  const { openOwnPage } = await import('./own/own-page.tsx');
  render(await openOwnPage({ relay: settings.get('relay'), code: settings.get('code') }), place);
} else {
  const url = new URL('live', location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  render(<Page link={openLiveLink(url)} />, place);
}
