import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Flood } from './flood.ts';
import type { FloodRig } from './rig.ts';

const strangers = {
  kind: 'requests',
  addresses: 60,
  perSecond: 200,
  method: 'POST',
  path: '/auth/login',
  headers: { 'content-type': 'application/json' },
} as const;

/** The strangers are at it before anybody rightful comes. */
const headStartMs = 500;
/** Strangers to an account under attack wait in line; longer than this is a lock-out. */
const longestWaitMs = 32_000;

export const signInFloods: readonly Flood[] = [
  {
    title: 'sixty strangers who sign in to accounts that are not there',
    task: () => ({ ...strangers, body: '{"email":"nobody-{n}@example.org","password":"vexed otter {n}"}' }),
    meanwhile: rightfulSignIns,
  },
  {
    title: 'sixty strangers who guess one account’s password',
    task: ({ neighbour }) => ({
      ...strangers,
      body: `{"email":"${neighbour.account.email}","password":"vexed otter {n}"}`,
    }),
    addressesInTests: 12,
    meanwhile: async (rig) => {
      await delay(headStartMs);
      await signIn(rig, rig.neighbour.account, `${rig.nextNetwork()}.1`, 'the owner of the guessed account');
    },
  },
];

async function rightfulSignIns(rig: FloodRig): Promise<void> {
  await delay(headStartMs);
  const network = rig.nextNetwork();
  await Promise.all(
    rig.people.map((account, index) => signIn(rig, account, `${network}.${index + 1}`, 'a rightful sign-in')),
  );
}

/** A person signs in, and comes again as a busy relay says. */
async function signIn(
  { url, tally }: FloodRig,
  account: TestAccount,
  localAddress: string,
  who: string,
): Promise<void> {
  const pool = new Pool(url, { localAddress, connections: 1, headersTimeout: longestWaitMs });
  const { email, password } = account;
  const until = performance.now() + longestWaitMs;
  const post = async () => {
    const { statusCode, headers, body } = await pool.request({
      method: 'POST',
      path: '/auth/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    return { statusCode, retryMs: Number(headers['retry-after']) * 1_000, text: await body.text() };
  };
  let answer = await post();
  while (answer.statusCode === 503 && performance.now() + answer.retryMs < until) {
    await delay(answer.retryMs);
    answer = await post();
  }
  const { statusCode, text } = answer;
  tally.answered(statusCode);
  if (statusCode !== 200) tally.found('lock-out', `${who}: ${statusCode}`, text);
  await pool.close();
}
