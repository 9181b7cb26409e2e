import { connectFakeModule, waitFor } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { bearer, connectModule } from '@tabletop-relay/testing/scenes';
import type { Pairing } from '@tabletop-relay/testing/scenes';
import { arenaBounds } from './accounts.ts';
import { ask, count, expectAtMost, expectCount, expectStatuses, newAccount, together } from './arena.ts';
import type { Arena, Race } from './arena.ts';

async function exchangeCode(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const { body } = await account.as('POST', '/auth/pairing-codes', {});
  const answers = await together(arena, (url, index) =>
    ask(arena, url, '/auth/pair', { body: { code: body['code'], worldId: `world-${index}` } }),
  );
  const of = 'tokens for one pairing code';
  expectCount(arena, { promise: 'given twice', of, actual: count(answers, 200), expected: 1 });
  expectStatuses(arena, of, answers, [200, 404, 410]);
  const tokens = await arena.db
    .selectFrom('connectionTokens')
    .select('id')
    .where('accountId', '=', account.accountId)
    .execute();
  expectCount(arena, {
    promise: 'given twice',
    of: 'rows for one pairing code',
    actual: tokens.length,
    expected: 1,
  });
}

/** Asks for codes all at once; tells how many of them are alive. */
async function liveCodes(arena: Arena, withWorld: boolean): Promise<number> {
  const account = await newAccount(arena);
  const body = withWorld ? { clientId: (await account.pair()).clientId } : {};
  const headers = bearer(account.sessionToken);
  await together(arena, (url) => ask(arena, url, '/auth/pairing-codes', { body, headers }));
  const live = await arena.db
    .selectFrom('pairingCodes')
    .select('id')
    .where('accountId', '=', account.accountId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', new Date())
    .execute();
  return live.length;
}

async function fiveCodes(arena: Arena): Promise<void> {
  expectAtMost(arena, { of: 'live pairing codes', actual: await liveCodes(arena, false), bound: 5 });
}

/** Five codes at a time, as many as there may be, and two worlds for each place that is left. */
async function boundOfWorlds(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const bound = arenaBounds.maxWorldsPerAccount;
  let paired = 0;
  for (let round = 0; round < bound / 5 + 2; round++) {
    const codes: unknown[] = [];
    for (let index = 0; index < 5; index++)
      codes.push((await account.as('POST', '/auth/pairing-codes', {})).body['code']);
    const answers = await together(
      arena,
      (url, index) =>
        ask(arena, url, '/auth/pair', { body: { code: codes[index], worldId: `w${round}-${index}` } }),
      codes.length,
    );
    expectStatuses(arena, 'pairing one world too many', answers, [200, 409]);
    paired += count(answers, 200);
  }
  expectCount(arena, { promise: 'unbounded', of: 'worlds of an account', actual: paired, expected: bound });
}

async function oneAddBrowserCode(arena: Arena): Promise<void> {
  expectAtMost(arena, { of: 'live Add Browser codes', actual: await liveCodes(arena, true), bound: 1 });
}

/** Ten worlds, five sockets each, while their tokens are revoked. */
async function revokeDuringConnect(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const pairings: Pairing[] = [];
  for (let index = 0; index < 10; index++) pairings.push(await account.pair());
  const list = await account.as('GET', '/auth/connection-tokens?limit=50');
  const tokens = list.body['items'] as { id: string; clientId: string }[];
  const connecting = pairings.flatMap((pairing) =>
    Array.from({ length: 5 }, (_, index) =>
      connectFakeModule({ url: arena.urls[index % 2 === 0 ? 0 : 1], ...pairing }),
    ),
  );
  await Promise.all(tokens.map(({ id }, index) => revoke(arena, account.sessionToken, id, index)));
  await expectClosed(arena, await Promise.all(connecting), 'sockets open after their token was revoked');
}

async function revoke(arena: Arena, session: string, id: string, index: number): Promise<void> {
  const answer = await ask(arena, arena.urls[index % 2 === 0 ? 0 : 1], `/auth/connection-tokens/${id}`, {
    method: 'DELETE',
    headers: bearer(session),
  });
  expectStatuses(arena, 'revoking a token', [answer], [200]);
}

/** A revocation holds everywhere within a second; a machine that stands still gets two more. */
async function expectClosed(arena: Arena, sockets: readonly FakeModule[], of: string): Promise<void> {
  const isOpen = ({ socket }: FakeModule) => socket.readyState === socket.OPEN;
  await waitFor(() => !sockets.some(isOpen), { timeoutMs: 3_000 }).catch(() => {});
  expectAtMost(arena, {
    promise: 'given twice',
    of,
    actual: sockets.filter(isOpen).length,
    bound: 0,
  });
  for (const socket of sockets) socket.cut();
}

/** All browsers of an account are connected, and all lose their token at once: each event has the others checked. */
async function revokeAllConnected(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const pairings: Pairing[] = [];
  for (let index = 0; index < 20; index++) pairings.push(await account.pair());
  const modules = await Promise.all(
    pairings.map((pairing, index) => connectModule(arena.urls[index % 2 === 0 ? 0 : 1], pairing)),
  );
  const list = await account.as('GET', '/auth/connection-tokens?limit=50');
  const tokens = list.body['items'] as { id: string }[];
  await Promise.all(tokens.map(({ id }, index) => revoke(arena, account.sessionToken, id, index)));
  await expectClosed(arena, modules, 'sockets that outlived a revocation among many');
}

export const pairingRaces: readonly Race[] = [
  { title: 'a pairing code gives one token', run: exchangeCode },
  { title: 'an account has at most five live pairing codes', run: fiveCodes },
  { title: 'a world has at most one live Add Browser code', run: oneAddBrowserCode },
  { title: 'an account has no more worlds than it may', run: boundOfWorlds },
  { title: 'no socket stays open that connected while its token was revoked', run: revokeDuringConnect },
  { title: 'no socket stays open when many tokens are revoked at once', run: revokeAllConnected },
];
