import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { defaultLimits, startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { refusedFrame } from '../stranger.ts';

const trustedProxies = ['127.0.0.1/32'];

interface Refusal {
  status: number;
  retryAfter: number;
  body: Record<string, unknown>;
}

/** Asks for an upgrade from an address, and if it gets one says something that is no auth frame. */
async function attempt(url: string, address: string, clientId: string): Promise<Refusal | 'let in'> {
  const sent = request(`${url}/relay?id=${clientId}`, {
    agent: false,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'x-forwarded-for': address,
    },
  });
  sent.end();
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const upgraded = once(sent, 'upgrade') as Promise<[IncomingMessage, Socket]>;
  // The one that does not come must not be left without a handler.
  answered.catch(() => {});
  upgraded.catch(() => {});
  const [response, socket] = await Promise.race([
    upgraded,
    answered.then(([refused]) => [refused, undefined] as const),
  ]);
  if (!socket) {
    return {
      status: response.statusCode ?? 0,
      retryAfter: Number(response.headers['retry-after']),
      body: JSON.parse(await text(response)) as Refusal['body'],
    };
  }
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  socket.resume().end(Buffer.from(refusedFrame, 'latin1'));
  await closed;
  return 'let in';
}

/** Many attempts, so many at a time; answers the refusals. */
async function attemptOften(
  times: number,
  attemptOnce: (index: number) => Promise<Refusal | 'let in'>,
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  let begun = 0;
  const goOn = async () => {
    while (begun < times) {
      const result = await attemptOnce(begun++);
      if (result !== 'let in') refusals.push(result);
    }
  };
  await Promise.all(Array.from({ length: 40 }, goOn));
  return refusals;
}

const rowsOf = async ({ db }: TestInstances, address: string) =>
  (await db.selectFrom('connectionLogs').selectAll().execute()).filter(
    (row) => row.ipAddress === address || row.ipAddress.startsWith(`${address}:`),
  );
const attemptsIn = (rows: { attempts: number | null }[]) =>
  rows.reduce((sum, row) => sum + (row.attempts ?? 1), 0);

describe('a stranger who tries to connect without end', () => {
  it('and knows a world’s id is refused, fills no log, stays on record, and keeps the world from nothing', async () => {
    const cluster = await startInstances({ count: 2, config: { ...defaultLimits, trustedProxies } });
    try {
      const [first, second] = cluster.instances;
      const account = await createAccount(first.url);
      const { clientId, ...pairing } = await account.pair();
      const flood = attemptOften(3_000, () => attempt(first.url, '203.0.113.9', clientId));
      const headers = { 'x-forwarded-for': '198.51.100.7' };
      for (let i = 0; i < 3; i++) {
        const module = await connectModule(first.url, { clientId, ...pairing }, undefined, { headers });
        await module.close();
      }
      const refusals = await flood;
      expect(refusals).toHaveLength(2_940);
      for (const { status, retryAfter, body } of refusals) {
        expect([status, body['code']]).toEqual([429, 'rate_limited']);
        expect(retryAfter).toBeGreaterThan(0);
        expect(retryAfter).toBeLessThanOrEqual(60);
      }
      await first.stop();
      const rows = await rowsOf(cluster, '203.0.113.9');
      expect(attemptsIn(rows)).toBe(3_000);
      expect(rows).toHaveLength(61);
      const read = await call(second!.url, 'GET', '/auth/connection-logs?outcome=rate_limited', {
        headers: { authorization: `Bearer ${account.sessionToken}` },
      });
      expect(read.body['items']).toMatchObject([
        { attempts: 2_940, ipAddress: '203.0.113.9', clientId, closeCode: null },
      ]);
      const own = await rowsOf(cluster, '198.51.100.7');
      const outcomes = own.map(({ outcome, attempts }) => `${attempts} ${outcome}`).toSorted();
      const three = (outcome: string) => Array.from({ length: 3 }, () => `1 ${outcome}`);
      expect(outcomes).toEqual([...three('connected'), ...three('disconnected')]);
    } finally {
      await cluster.stop();
    }
  });

  it('with ids that nobody owns gets few rows, and each attempt is counted', async () => {
    const cluster = await startInstances({
      config: { trustedProxies, limitConnectRecords: '20 per 1 min', countedAttempts: 100 },
    });
    try {
      const [{ url, stop }] = cluster.instances;
      expect(await attemptOften(400, (i) => attempt(url, '203.0.113.9', `guessed-${i}`))).toEqual([]);
      await stop();
      const rows = await rowsOf(cluster, '203.0.113.9');
      expect(attemptsIn(rows)).toBe(400);
      // Twenty of their own, a twentieth of the pairs by id, and one for all others.
      expect(rows).toHaveLength(20 + 5 + 1);
      expect(rows.find((row) => row.clientId === '')).toMatchObject({
        outcome: 'auth_missing',
        attempts: 375,
      });
    } finally {
      await cluster.stop();
    }
  });

  it('and leaves before a word is on record too', async () => {
    const cluster = await startInstances();
    try {
      const [{ url, stop }] = cluster.instances;
      const module = await connectModule(url, await (await createAccount(url)).pair());
      const silent = new WebSocket(`${url.replace('http', 'ws')}/relay?id=silent`);
      await once(silent, 'open');
      silent.close();
      await once(silent, 'close');
      await module.close();
      await stop();
      const rows = await cluster.db.selectFrom('connectionLogs').selectAll().execute();
      expect(new Map(rows.map((row) => [row.outcome, row.clientId === 'silent']))).toEqual(
        new Map([
          ['connected', false],
          ['disconnected', false],
          ['gone', true],
        ]),
      );
    } finally {
      await cluster.stop();
    }
  });
});
