import { render } from 'preact';
import { openLiveLink } from './live-link.ts';
import { Page } from './page.tsx';

const place = document.querySelector('#page');
if (!place) throw new Error('The document has no #page');

const settings = new URLSearchParams(location.search);
const given = { relay: settings.get('relay'), code: settings.get('code') };
const isAt = (path: string) => location.pathname.endsWith(path);
if (isAt('/login')) {
  const { LogInPage } = await import('./play/log-in-page.tsx');
  render(<LogInPage />, place);
} else if (isAt('/play') || settings.has('own')) {
  // The engine is loaded only by a page that runs a world of its own.
  const { openOwnPage } = await import('./own/own-page.tsx');
  const { playStorage } = await import('./play/play-storage.ts');
  const storage = isAt('/play') ? { storage: playStorage(localStorage) } : {};
  render(await openOwnPage({ given, ...storage }), place);
} else {
  const url = new URL('live', location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  render(<Page link={openLiveLink(url)} />, place);
}
