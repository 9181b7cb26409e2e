import { accountEvents, addresses, pathOf } from '@tabletop-relay/contract';
import { announce } from '../parts/announcer.tsx';
import { attention, browsers, keys, logNews, nameOf, readAccount, worlds } from '../store.ts';

const pollMs = 5_000;
const retryMs = 60_000;
const attendEveryMs = 5_000;
/** There is no event for a webhook that fails or a browser that gave up. */
const attendAnywayMs = 60_000;

/**
 * On a slow line the stream takes as long to open as what it leads to takes to come, so both are asked for at once. `first.js` finds
 * out.
 */
const isSlow = () => document.documentElement.dataset['line'] === 'slow';
const patienceMs = 500;

/**
 * Keeps worlds and browsers as they are while somebody is signed in: read again at each event of the account's
 * stream and, while there is no stream, every few seconds that the page is looked at. Returns what ends it.
 * The first event says that the stream is open, and is the first to read them: what was read before could miss what
 * happened until then. A stream that is held up on its way does not hold up the page.
 */
export function startLive(): () => void {
  let poll: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let stream: EventSource | undefined;
  let attending: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    clearTimeout(waiting);
    void Promise.all([refreshWorlds(), browsers.reload(), attention.reload()]);
  };
  const waiting = setTimeout(refresh, isSlow() ? 0 : patienceMs);
  const tellNews = () => {
    logNews.value++;
    // Troubles that calls cause, such as a key at its limit, may be shown seconds later.
    attending ??= setTimeout(() => {
      attending = undefined;
      if (document.visibilityState === 'visible') void attention.reload();
    }, attendEveryMs);
  };

  const open = () => {
    stream = new EventSource(pathOf(addresses.followKnownClients));
    for (const name of Object.keys(accountEvents)) {
      if (name !== 'calls') stream.addEventListener(name, refresh);
      // A page that opens reads its logs by itself, while the stream opens.
      if (name !== 'connected') stream.addEventListener(name, tellNews);
    }
    stream.addEventListener('changed', () => void keys.reload());
    stream.addEventListener('open', () => {
      // The new stream has the events of the account that is signed in now.
      if (poll !== undefined) {
        void readAccount();
        tellNews();
      }
      clearInterval(poll);
      poll = undefined;
    });
    stream.addEventListener('error', () => {
      poll ??= setInterval(() => document.visibilityState === 'visible' && refresh(), pollMs);
      if (stream?.readyState === EventSource.CLOSED) retry = setTimeout(open, retryMs);
    });
  };
  const onVisible = () => {
    if (document.visibilityState !== 'visible') return;
    // Somebody else may have signed in in another tab.
    void readAccount();
    refresh();
  };
  const anyway = setInterval(
    () => void (document.visibilityState === 'visible' && attention.reload()),
    attendAnywayMs,
  );
  document.addEventListener('visibilitychange', onVisible);
  // The stream of a computer that lost its network stays open for minutes.
  for (const change of ['offline', 'online']) addEventListener(change, refresh);
  open();

  return () => {
    document.removeEventListener('visibilitychange', onVisible);
    for (const change of ['offline', 'online']) removeEventListener(change, refresh);
    clearInterval(poll);
    clearTimeout(retry);
    clearTimeout(waiting);
    clearTimeout(attending);
    clearInterval(anyway);
    stream?.close();
  };
}

async function refreshWorlds(): Promise<void> {
  const before = new Map(worlds.data.peek()?.map((world) => [world.clientId, world.isOnline]));
  await worlds.reload();
  for (const world of worlds.data.peek() ?? []) {
    const was = before.get(world.clientId);
    if (was === undefined || was === null || was === world.isOnline || world.isOnline === null) continue;
    announce(`${nameOf(world)} is ${world.isOnline ? 'online' : 'offline'}.`);
  }
}
