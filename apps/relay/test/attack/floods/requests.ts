import { sql } from 'kysely';
import { createSecret } from '../../../src/credentials/secret.ts';
import type { Flood } from './flood.ts';
import type { FloodRig } from './rig.ts';
import type { Sent } from './task.ts';

const json = { 'content-type': 'application/json' };
const requests = { kind: 'requests', addresses: 1 } as const;

/** A key that has its form and its checksum, and that nobody was given. */
const unknownKey = createSecret('scopedKey').value;

export const requestFloods: readonly Flood[] = [
  {
    title: 'unknown keys',
    task: () => ({ ...requests, perSecond: 1_000, path: '/clients', headers: { 'x-api-key': unknownKey } }),
  },
  {
    title: '/openapi.json',
    task: () => ({ ...requests, perSecond: 400, path: '/openapi.json' }),
  },
  {
    title: 'requests for keys, from 250 addresses',
    task: () => ({
      ...requests,
      addresses: 250,
      perSecond: 500,
      method: 'POST',
      path: '/auth/key-request',
      headers: json,
      body: '{"appName":"bot {n}","scopes":["clients:read"]}',
    }),
    judge: boundedKeyRequests,
  },
  {
    title: 'pairing codes that are none, from 250 addresses',
    task: () => ({
      ...requests,
      addresses: 250,
      perSecond: 1_600,
      method: 'POST',
      path: '/auth/pair',
      headers: json,
      body: '{"code":"nonsense {n}","worldId":"w"}',
    }),
    judge: pairsFromElsewhere,
  },
  {
    title: 'attempts to connect to a known world, 750 a second',
    task: ({ neighbour }) => ({
      kind: 'attempts',
      addresses: 1,
      perSecond: 750,
      clientId: neighbour.clientId,
      token: 'trc_nobody’s',
    }),
    judge: recordedAttempts,
  },
];

const maxKeyRequests = 10_000;

async function boundedKeyRequests({ db, tally }: FloodRig): Promise<void> {
  const rows = await db
    .selectFrom('keyRequests')
    .select('id')
    .where('status', '=', 'pending')
    .where('expiresAt', '>', new Date())
    .execute();
  if (rows.length > maxKeyRequests) tally.found('unbounded', `${rows.length} open key requests`);
}

/** What is no code at all costs the rightful ones nothing, wherever they come from. */
async function pairsFromElsewhere({ url, neighbour, tally, nextNetwork }: FloodRig): Promise<void> {
  const made = await neighbour.account.as('POST', '/auth/pairing-codes', {});
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({ localAddress: `${nextNetwork()}.1` });
  const answer = await request(`${url}/auth/pair`, {
    dispatcher,
    method: 'POST',
    headers: json,
    body: JSON.stringify({ code: made.body['code'], worldId: 'from elsewhere' }),
  });
  const text = await answer.body.text();
  await dispatcher.close();
  if (answer.statusCode !== 200)
    tally.found('lock-out', `a right pairing code from elsewhere: ${answer.statusCode}`, text);
}

const attempts = new WeakMap<FloodRig['neighbour'], number>();

function recordedAttempts(rig: FloodRig, { sent, outcomes }: Sent): Promise<void> {
  const answered = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  if (answered !== sent) rig.tally.found('crash', `${sent - answered} attempts had no answer`);
  attempts.set(rig.neighbour, (attempts.get(rig.neighbour) ?? 0) + sent);
  // What was counted is written once a minute, and when the relay ends.
  rig.atEnd(judgeAttempts);
  return Promise.resolve();
}

/** Few rows, and together they tell of each attempt. */
async function judgeAttempts({ db, neighbour, tally }: FloodRig): Promise<void> {
  const sent = attempts.get(neighbour) ?? 0;
  const { rows } = await sql<{ rows: number; attempts: number }>`
    select count(*)::int as rows, coalesce(sum(coalesce(attempts, 1)), 0)::int as attempts
    from connection_logs where client_id = ${neighbour.clientId} and outcome not in ('connected', 'disconnected', 'handed_over')`.execute(
    db,
  );
  const found = rows[0] ?? { rows: 0, attempts: 0 };
  if (found.attempts !== sent)
    tally.found('lost record', `${found.attempts} of ${sent} attempts are recorded`);
  const bound = 100 + sent / 10;
  if (found.rows > bound) tally.found('unbounded', `${found.rows} rows for ${sent} attempts`);
}
