import { waitFor } from '@tabletop-relay/testing';
import { bearer } from '@tabletop-relay/testing/scenes';
import { ask, count, crowd, expectCount, expectStatuses, newAccount, together, withKey } from './arena.ts';
import type { Arena, Race } from './arena.ts';

async function requestKey(arena: Arena, more: object = {}): Promise<string> {
  const { body } = await ask(arena, arena.urls[0], '/auth/key-request', {
    body: { appName: 'Racer', scopes: ['clients:read'], ...more },
  });
  return String(body['code']);
}

async function collectByPoll(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const code = await requestKey(arena);
  await account.as('POST', `/auth/key-request/${code}/approve`, {});
  const answers = await together(arena, (url) => ask(arena, url, `/auth/key-request/${code}/status`));
  expectStatuses(arena, 'polls', answers, [200]);
  const keys = answers.filter(({ body }) => body['apiKey'] !== undefined);
  const of = 'keys for one approval';
  expectCount(arena, { promise: 'given twice', of, actual: keys.length, expected: 1 });
}

/** One gets the key; that others tried as well ends it, for one of them may be a thief. */
async function exchangeCode(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const asked = await requestKey(arena, { callbackUrl: 'https://bot.example/done' });
  const approved = await account.as('POST', `/auth/key-request/${asked}/approve`, {});
  const code = new URL(String(approved.body['redirectUrl'])).searchParams.get('code');
  const answers = await together(arena, (url) =>
    ask(arena, url, '/auth/key-request/exchange', { body: { code } }),
  );
  expectStatuses(arena, 'exchanges', answers, [200, 410]);
  const of = 'keys for one exchange code';
  expectCount(arena, { promise: 'given twice', of, actual: count(answers, 200), expected: 1 });
  const key = answers.find(({ status }) => status === 200)?.body['apiKey'];
  const isDead = async () =>
    count(await together(arena, (url) => ask(arena, url, '/clients', { headers: withKey(key) }), 2), 401) ===
    2;
  await waitFor(isDead, { timeoutMs: 2_000, intervalMs: 100 }).catch(() =>
    arena.tally.found('given twice', 'a key works whose code was used twice'),
  );
}

/** Two accounts, one that approves and one that denies. */
async function approveOrDeny(arena: Arena): Promise<void> {
  const accounts = [await newAccount(arena), await newAccount(arena)] as const;
  const code = await requestKey(arena);
  const answers = await together(arena, (url, index) => {
    const [decision, account] =
      index < crowd / 2 ? (['approve', accounts[0]] as const) : (['deny', accounts[1]] as const);
    return ask(arena, url, `/auth/key-request/${code}/${decision}`, {
      body: {},
      headers: bearer(account.sessionToken),
    });
  });
  const of = 'decisions of one request';
  expectCount(arena, { promise: 'given twice', of, actual: count(answers, 200), expected: 1 });
  expectStatuses(arena, of, answers, [200, 404, 410]);
  const winner = answers.find(({ status }) => status === 200)?.body['status'];
  const polled = await ask(arena, arena.urls[1], `/auth/key-request/${code}/status`);
  if (polled.body['status'] !== winner)
    arena.tally.found(
      'given twice',
      `${String(winner)} was answered, ${String(polled.body['status'])} holds`,
    );
}

export const keyRequestRaces: readonly Race[] = [
  { title: 'the key of a request is collected by one poll', run: collectByPoll },
  { title: 'an exchange code gives one key, and a second use ends it', run: exchangeCode },
  { title: 'a key request is decided once', run: approveOrDeny },
];
