import { call } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendAsBrowser } from '../browser-request.ts';
import { defaultLimits, startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances();
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

const send = (method: string, path: string, headers: Record<string, string>, body?: object, at = url) =>
  sendAsBrowser(at + path, method, headers, body);

describe('limits per address', () => {
  it('are not escaped by a forged X-Forwarded-For; a trusted proxy’s is believed', async () => {
    const limits = { limitForgotPassword: '3 per 1 min' };
    const untrusting = await startInstances({ databaseUrl: cluster.databaseUrl, config: limits });
    const trusting = await startInstances({
      databaseUrl: cluster.databaseUrl,
      config: { ...limits, trustedProxies: ['127.0.0.1/32'] },
    });
    try {
      const tries = async (at: string) => {
        const statuses: number[] = [];
        for (let i = 0; i < 5; i++) {
          const headers = { 'x-forwarded-for': `203.0.113.${i}` };
          const body = { email: `xff-${i}@example.org` };
          statuses.push((await send('POST', '/auth/forgot-password', headers, body, at)).status);
        }
        return statuses;
      };
      expect(await tries(untrusting.instances[0].url)).toEqual([200, 200, 200, 429, 429]);
      expect(await tries(trusting.instances[0].url)).toEqual([200, 200, 200, 200, 200]);
    } finally {
      await Promise.all([untrusting.stop(), trusting.stop()]);
    }
  });

  it('count IPv6 by /64, and by /48 with four times the limit, over all instances', async () => {
    const proxied = await startInstances({
      count: 2,
      databaseUrl: cluster.databaseUrl,
      config: { limitForgotPassword: '3 per 1 min', trustedProxies: ['127.0.0.1/32'] },
    });
    try {
      let calls = 0;
      const ask = async (address: string) => {
        const at = proxied.instances[calls++ % 2]?.url;
        const body = { email: 'nobody@example.org' };
        return (await send('POST', '/auth/forgot-password', { 'x-forwarded-for': address }, body, at)).status;
      };
      const inOneHousehold: number[] = [];
      for (let i = 0; i < 4; i++) inOneHousehold.push(await ask(`2001:db8:1:1:${i}::1`));
      expect(inOneHousehold).toEqual([200, 200, 200, 429]);
      const inOneSite: number[] = [];
      for (let i = 0; i < 13; i++) inOneSite.push(await ask(`2001:db8:2:${i}::1`));
      expect(inOneSite).toEqual([...Array<number>(12).fill(200), 429]);
      expect(await ask('2001:db8:3::1')).toBe(200);
      // What a household is refused does not count for its site.
      for (let i = 0; i < 12; i++) expect(await ask('2001:db8:1:1::1')).toBe(429);
      expect(await ask('2001:db8:1:2::1')).toBe(200);
    } finally {
      await proxied.stop();
    }
  });

  it('bound polls of codes that nobody has, over all instances, and leave other addresses alone', async () => {
    const proxied = await startInstances({
      count: 2,
      databaseUrl: cluster.databaseUrl,
      config: { limitPolls: '4 per 1 min', trustedProxies: ['127.0.0.1/32'] },
    });
    try {
      for (const kind of ['key-request', 'pair-request']) {
        let polls = 0;
        const poll = (address: string) => {
          const code = String(++polls).padStart(26, '0');
          const at = proxied.instances[polls % 2]?.url ?? '';
          const headers = { 'x-forwarded-for': address };
          return call(at, 'GET', `/auth/${kind}/${code}/status`, { headers });
        };
        for (let i = 0; i < 4; i++) expect((await poll('192.0.2.1')).status, kind).toBe(404);
        const refused = await poll('192.0.2.1');
        expect(refused, kind).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
        expect(Number(refused.headers.get('retry-after')), kind).toBeGreaterThan(30);
        expect(refused.headers.get('ratelimit-limit'), kind).toBe('4');
        expect((await poll('192.0.2.2')).status, kind).toBe(404);
      }
    } finally {
      await proxied.stop();
    }
  });

  it('stand as documented on every open route, with the headers that say so', async () => {
    const limited = await startInstances({
      databaseUrl: cluster.databaseUrl,
      config: defaultLimits,
    });
    try {
      const at = limited.instances[0].url;
      const code = '0'.repeat(26);
      const rows: [string, string, number][] = [
        ['POST', '/auth/register', 5],
        ['POST', '/auth/regenerate-key', 5],
        ['POST', '/auth/forgot-password', 3],
        ['POST', '/auth/reset-password', 3],
        ['POST', '/auth/pair', 10],
        ['POST', '/auth/key-request', 20],
        ['POST', '/auth/key-request/exchange', 20],
        ['GET', `/auth/key-request/${code}/status`, 1],
        ['GET', '/asyncapi.json', 120],
      ];
      for (const [method, path, max] of rows) {
        for (let i = 0; i < max; i++) expect((await call(at, method, path)).status, path).not.toBe(429);
        const refused = await call(at, method, path);
        expect(refused, path).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
        expect(Number(refused.headers.get('retry-after')), path).toBeGreaterThan(0);
        expect(refused.headers.get('ratelimit-limit'), path).toBe(String(max));
      }
    } finally {
      await limited.stop();
    }
  });
});
