import { waitFor } from '@tabletop-relay/testing';
import { bearer } from '@tabletop-relay/testing/scenes';
import { createSecret } from '../../../src/credentials/secret.ts';
import { arenaBounds } from './accounts.ts';
import {
  ask,
  count,
  crowd,
  expectAtMost,
  expectCount,
  expectStatuses,
  newAccount,
  together,
  withKey,
} from './arena.ts';
import type { Arena, Race } from './arena.ts';

const newPassword = (index: number | string) => `walnut ferry lamp ${index}`;

async function register(arena: Arena): Promise<void> {
  const email = `race-${Date.now()}-${Math.random()}@example.org`;
  const body = { email, password: newPassword('first') };
  const answers = await together(arena, (url) => ask(arena, url, '/auth/register', { body }));
  const of = 'accounts for one address';
  expectCount(arena, { promise: 'given twice', of, actual: count(answers, 200), expected: 1 });
  expectStatuses(arena, of, answers, [200, 409, 503]);
}

/** Half of the crowd signs in before the change is asked for, half while it is under way. */
async function signInDuringChange(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const { email, password } = account;
  const login = (url: string) => ask(arena, url, '/auth/login', { body: { email, password } });
  const early = together(arena, login, crowd / 2);
  const change = ask(arena, arena.urls[1], '/auth/change-password', {
    body: { currentPassword: password, newPassword: newPassword('changed') },
    headers: bearer(account.sessionToken),
  });
  const late = together(arena, login, crowd / 2);
  const { status } = await change;
  const answers = [...(await early), ...(await late)];
  if (status !== 200) arena.tally.found('lock-out', `change-password among sign-ins: ${status}`);
  const opened = answers
    .filter((answer) => answer.status === 200)
    .map(({ body }) => String(body['sessionToken']));
  const checked = await Promise.all(
    opened.map((token, index) =>
      ask(arena, arena.urls[index % 2 === 0 ? 0 : 1], '/auth/account', { headers: bearer(token) }),
    ),
  );
  expectCount(arena, {
    promise: 'given twice',
    of: 'sessions of the old password that work after its change',
    actual: count(checked, 200),
    expected: 0,
  });
}

async function rotateDuringChange(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const { email, password } = account;
  const rotations = together(
    arena,
    (url) => ask(arena, url, '/auth/regenerate-key', { body: { email, password } }),
    12,
  );
  await ask(arena, arena.urls[1], '/auth/change-password', {
    body: { currentPassword: password, newPassword: newPassword('changed') },
    headers: bearer(account.sessionToken),
  });
  await rotations;
  // Both write their record while they hold the account's lock: its time tells their order.
  const events = async () =>
    await arena.db
      .selectFrom('auditLog')
      .select(['event', 'at'])
      .where('accountId', '=', account.accountId)
      .where('outcome', '=', 'ok')
      .execute();
  const done = (await rotations).filter((answer) => answer.status === 200).length;
  const rows = await waitFor(async () => {
    const found = await events();
    return found.filter(({ event }) => event.startsWith('master_key.')).length >= done && found;
  });
  const changedAt = rows.find(({ event }) => event === 'password.changed')?.at;
  if (changedAt === undefined) return;
  const late = rows.filter(({ event, at }) => event.startsWith('master_key.') && at > changedAt);
  expectCount(arena, {
    promise: 'given twice',
    of: 'rotations by the old password after its change',
    actual: late.length,
    expected: 0,
  });
}

async function regenerateKey(arena: Arena): Promise<void> {
  const { email, password, masterKey } = await newAccount(arena);
  const answers = await together(arena, (url) =>
    ask(arena, url, '/auth/regenerate-key', { body: { email, password } }),
  );
  expectStatuses(arena, 'regenerate-key', answers, [200, 503]);
  const keys = answers.filter((answer) => answer.status === 200).map(({ body }) => body['masterKey']);
  const checked = await Promise.all(
    [masterKey, ...keys].map((key) => ask(arena, arena.urls[0], '/clients', { headers: withKey(key) })),
  );
  const of = 'master keys that work after rotations';
  expectCount(arena, { promise: 'given twice', of, actual: count(checked, 200), expected: 1 });
}

async function resetToken(arena: Arena): Promise<void> {
  const { email } = await newAccount(arena);
  await ask(arena, arena.urls[0], '/auth/forgot-password', { body: { email } });
  const mail = await waitFor(() =>
    arena.mails.find((each) => JSON.stringify(each.to).includes(email) && /reset/i.test(each.text)),
  );
  const token = /#(trr_\w+)/.exec(mail.text)?.[1];
  const answers = await together(arena, (url, index) =>
    ask(arena, url, '/auth/reset-password', { body: { token, password: newPassword(index) } }),
  );
  const of = 'uses of one reset link';
  expectCount(arena, { promise: 'given twice', of, actual: count(answers, 200), expected: 1 });
  expectStatuses(arena, of, answers, [200, 400, 503]);
  const winner = answers.findIndex((answer) => answer.status === 200);
  const { status } = await ask(arena, arena.urls[1], '/auth/login', {
    body: { email, password: newPassword(winner) },
  });
  if (status !== 200)
    arena.tally.found('lock-out', `the password of the reset that was answered 200: ${status}`);
}

/** Fifty sign in to an account that has room for ten more sessions. */
async function boundOfSessions(arena: Arena): Promise<void> {
  const maxSessions = arenaBounds.maxSessionsPerAccount;
  const { accountId, email, password } = await newAccount(arena);
  const fill = Array.from({ length: maxSessions - 11 }, (_, index) => ({
    id: `${accountId.slice(0, 20)}${String(index).padStart(6, '0')}`,
    accountId,
    hash: createSecret('session').hash,
    userAgent: '',
    ipAddress: '',
    expiresAt: new Date(Date.now() + 3_600_000),
  }));
  await arena.db.insertInto('sessions').values(fill).execute();
  const answers = await together(arena, (url) =>
    ask(arena, url, '/auth/login', { body: { email, password } }),
  );
  expectStatuses(arena, 'sign-ins', answers, [200]);
  const rows = await arena.db
    .selectFrom('sessions')
    .select('id')
    .where('accountId', '=', accountId)
    .execute();
  expectAtMost(arena, { of: 'sessions of an account', actual: rows.length, bound: maxSessions });
}

async function sessionRevoke(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const { body } = await account.as('POST', '/auth/login', {
    email: account.email,
    password: account.password,
  });
  const token = String(body['sessionToken']);
  const list = await account.as('GET', '/auth/sessions');
  const id = (list.body['items'] as { id: string; current: boolean }[]).find(({ current }) => !current)?.id;
  const answers = await together(arena, (url) =>
    ask(arena, url, `/auth/sessions/${id}`, {
      method: 'DELETE',
      headers: bearer(account.sessionToken),
      body: { password: account.password },
    }),
  );
  const of = 'ends of one session';
  expectCount(arena, { promise: 'given twice', of, actual: count(answers, 200), expected: 1 });
  const after = await together(
    arena,
    (url) => ask(arena, url, '/auth/account', { headers: bearer(token) }),
    4,
  );
  expectAtMost(arena, {
    promise: 'given twice',
    of: 'uses of an ended session',
    actual: count(after, 200),
    bound: 0,
  });
}

export const passwordRaces: readonly Race[] = [
  { title: 'one address gets one account', run: register },
  { title: 'no session of an old password works after its change', run: signInDuringChange },
  { title: 'no rotation by an old password succeeds after its change', run: rotateDuringChange },
  { title: 'of many rotations one master key is left', run: regenerateKey },
  { title: 'a reset link works once', run: resetToken },
  { title: 'a session ends once, and for good', run: sessionRevoke },
  { title: 'an account has no more sessions than it may', run: boundOfSessions },
];
