import { waitFor } from '@tabletop-relay/testing';
import { connectModule } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { openSse } from '../../streams/sse.ts';
import type { SseReader } from '../../streams/sse.ts';
import { ask, expectCount, newAccount, together, withKey } from './arena.ts';
import type { Arena, Race } from './arena.ts';

const path = '/encounters/subscribe';
/** The default of STREAMS_PER_KEY is 20: this is far above it. */
const shownAtOnce = 250;
/** Streams of the key that are open beside it: there is room for a few more. */
const otherStreams = 9;

/** A world with a key that may follow it, and what opens a stream of it. */
async function newWorld(arena: Arena, account: TestAccount) {
  const [url] = arena.urls;
  const pairing = await account.pair();
  const module = await connectModule(url, pairing);
  const key = await account.createKey({ scopes: ['events:subscribe'] });
  const address = `${path}?clientId=${pairing.clientId}`;
  return {
    key,
    clientId: pairing.clientId,
    close: () => module.close(),
    turn: (encounterId: string) =>
      module.send({ type: 'combat-event', data: { eventType: 'turn', encounterId } }),
    open: (at: string) => openSse(at + address, { key }),
  };
}

type World = Awaited<ReturnType<typeof newWorld>>;

/** Opens a stream by a ticket. Answers its address, and the id that proves to have been there. */
async function openByTicket(arena: Arena, { key, clientId }: World) {
  const { body } = await ask(arena, arena.urls[0], '/events/tickets', {
    body: { path, query: { clientId } },
    headers: withKey(key),
  });
  const address = `${path}?ticket=${String(body['ticket'])}`;
  const reader = await openSse(arena.urls[0] + address);
  return { address, reader, lastId: (await reader.next('connected')).id };
}

const isLive = (reader: SseReader) => reader.status === 200 && reader.events.length > 0 && !reader.isClosed();

/** Resolves when no stream was opened or closed for a while. */
async function settled(readers: readonly SseReader[]): Promise<void> {
  let before = -1;
  let same = 0;
  await waitFor(
    () => {
      const open = readers.filter((reader) => !reader.isClosed()).length;
      same = open === before ? same + 1 : 0;
      before = open;
      return same >= 5;
    },
    { timeoutMs: 30_000, intervalMs: 200 },
  );
}

/** The key has other streams open, as many as it may beside this one, and a neighbour follows a world of his own. */
async function oneProofManyTimes(arena: Arena): Promise<void> {
  const world = await newWorld(arena, await newAccount(arena));
  const neighbour = await newWorld(arena, await newAccount(arena));
  const judge = await neighbour.open(arena.urls[1]);
  await judge.next('connected');
  const { address, reader: first, lastId } = await openByTicket(arena, world);
  const others = await together(arena, world.open, otherStreams);
  const readers = await together(arena, (url) => openSse(url + address, { lastId }), shownAtOnce);
  for (const { status } of readers) arena.tally.answered(status);
  await settled([first, ...readers]);
  const of = 'live streams of one ticket whose proof was shown at once';
  const live = [first, ...readers].filter(isLive);
  expectCount(arena, { promise: 'given twice', of, actual: live.length, expected: 1 });
  for (const { status, problem } of readers)
    if (status !== 200 && status !== 401)
      arena.tally.found('undocumented', `${of}: ${status}`, JSON.stringify(problem));
  expectCount(arena, {
    promise: 'lock-out',
    of: 'other streams of the key that stay open',
    actual: others.filter(isLive).length,
    expected: otherStreams,
  });
  const more = await together(arena, world.open, 20);
  const opened = more.filter(({ status }) => status === 200).length;
  const bound = 'streams of a key while one proof was shown at once';
  expectCount(arena, {
    promise: 'unbounded',
    of: bound,
    actual: live.length + otherStreams + opened,
    expected: 20,
  });
  neighbour.turn('judged');
  await judge.next('combat-turn').catch(() => {
    arena.tally.found('lock-out', 'the stream of a neighbour did not go on');
  });
  for (const reader of [first, judge, ...more, ...others, ...readers]) reader.close();
  await Promise.all([world.close(), neighbour.close()]);
}

export const streamRaces: readonly Race[] = [
  {
    title: 'of one stream’s proof that is shown at once the newest stream alone stays',
    run: oneProofManyTimes,
  },
];
