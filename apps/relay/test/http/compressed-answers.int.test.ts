import { addresses, pathOf } from '@tabletop-relay/contract';
import type { Endpoints } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { Type } from 'typebox';
import { request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gunzipSync } from 'node:zlib';
import { serve } from '../../src/endpoint-handler.ts';
import type { HandlersOf } from '../../src/endpoint-handler.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const text = { auth: 'none', origin: 'any', answer: Type.Object({ text: Type.String() }) } as const;
const endpoints = {
  readLong: { ...text, method: 'GET', path: '/auth/long', summary: 'Read a long text' },
  readShort: { ...text, method: 'GET', path: '/auth/short', summary: 'Read a short text' },
  readSecret: { ...text, method: 'GET', path: '/auth/secret', summary: 'Read a secret', secretAnswer: true },
  readTogether: { ...text, method: 'GET', path: '/auth/together', summary: 'Read with others' },
} as const satisfies Endpoints;

const long = { text: 'The goblin misses. '.repeat(100) };
const bytes = Buffer.from(JSON.stringify(long));

const large = { text: long.text.repeat(100) };
const largeBytes = Buffer.from(JSON.stringify(large));

/** As many as are answered at once. */
const together = 4;
let cluster: TestInstances;
let url: string;
let sessionToken: string;
let module: FakeModule;
let callWorld: (path: string, body: object) => ReturnType<typeof get>;

async function get(address: string, headers: Record<string, string> = { 'accept-encoding': 'gzip' }) {
  const answer = await request(address, { headers });
  return { headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
}

function createHandlers(): HandlersOf<typeof endpoints> {
  let waiting = 0;
  let release = () => {};
  const allWait = new Promise<void>((resolve) => (release = resolve));
  return {
    readLong: () => long,
    readShort: () => ({ text: 'short' }),
    readSecret: () => long,
    async readTogether() {
      if (++waiting === together) release();
      await allWait;
      return large;
    },
  };
}

beforeAll(async () => {
  cluster = await startInstances({
    config: { compressionsAtOnce: 1 },
    endpoints: serve(endpoints, createHandlers()),
  });
  [{ url }] = cluster.instances;
  const account = await createAccount(url);
  sessionToken = account.sessionToken;
  const key = await account.createKey();
  const pairing = await account.pair();
  module = await connectModule(url, pairing, () => ({ ...long, data: long.text.repeat(10) }));
  callWorld = async (path, body) => {
    const answer = await request(`${url}${path}?clientId=${pairing.clientId}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'accept-encoding': 'gzip' },
      body: JSON.stringify(body),
    });
    return { headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
  };
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

it('an answer above 1 KB is compressed for who takes it, and is the same then', async () => {
  const { headers, body } = await get(`${url}/auth/long`);
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(Number(headers['content-length'])).toBe(body.length);
  expect(body.length).toBeLessThan(bytes.length / 10);
  expect(gunzipSync(body).equals(bytes)).toBe(true);
});

it.each([
  ['by who does not take it', '/auth/long', { 'accept-encoding': 'gzip;q=0' }],
  ['that is short', '/auth/short', undefined],
])('an answer %s is as it was', async (_what, path, headers) => {
  const answer = await get(url + path, headers);
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(answer.body.toString())).toHaveProperty('text');
});

it('an answer with a secret is never compressed, and no proxy may do so', async () => {
  const { headers, body } = await get(`${url}/auth/secret`);
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['cache-control']).toBe('no-store, no-transform');
  expect(body.equals(bytes)).toBe(true);
});

it('beyond so many large ones at once the others go out as they are', async () => {
  const answers = await Promise.all(Array.from({ length: together }, () => get(`${url}/auth/together`)));
  const packed = answers.filter(({ headers }) => headers['content-encoding'] === 'gzip');
  expect(packed.length).toBe(1);
  for (const { headers, body } of answers)
    expect((headers['content-encoding'] ? gunzipSync(body) : body).equals(largeBytes)).toBe(true);
});

it('a stream is never compressed', async () => {
  const answer = await request(url + pathOf(addresses.followKnownClients), {
    headers: { authorization: `Bearer ${sessionToken}`, 'accept-encoding': 'gzip' },
  });
  expect(answer.headers['content-type']).toContain('text/event-stream');
  expect(answer.headers['content-encoding']).toBeUndefined();
  answer.body.destroy();
});

it('a world’s answer is compressed from 16 KB on, unless it may hold a secret', async () => {
  const check = await callWorld('/sys5e/skill-check', { actorUuid: 'Actor.a', skill: 'prc' });
  expect(check.headers['content-encoding']).toBe('gzip');
  expect(JSON.parse(gunzipSync(check.body).toString())).toMatchObject(long);
  const script = await callWorld('/execute-js', { script: 'return 1' });
  expect(script.headers['content-encoding']).toBeUndefined();
  expect(script.headers['cache-control']).toBe('no-store, no-transform');
  expect(script.body.length).toBeGreaterThan(16_384);
});
