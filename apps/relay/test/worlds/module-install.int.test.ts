import { readRedis, startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { bearer, call, createAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let redis: TestRedis;
let cluster: TestInstances;
let url: string;
let second: string;

beforeAll(async () => {
  redis = await startRedis();
  cluster = await startInstances({ count: 2, redis: [redis.url] });
  [url = '', second = ''] = cluster.instances.map((instance) => instance.url);
});
afterAll(async () => {
  await cluster.stop();
  await redis.stop();
});

const path = '/auth/module-install';

it('tells an account of the downloads by its own address, whichever instance served them', async () => {
  const [account, stranger] = [await createAccount(url), await createAccount(second)];
  const plain = {
    manifestUrl: `${url}/module/module.json`,
    expiresAt: null,
    manifestAt: null,
    packageAt: null,
  };
  expect((await account.as('GET', path)).body).toEqual(plain);
  const made = (await account.as('POST', path)).body;
  expect(made['manifestUrl']).toMatch(/\/module\/[0-9a-z]{26}\/module\.json$/);
  expect((await account.as('POST', path)).body).toEqual(made);
  const other = (await stranger.as('POST', path)).body;

  const address = new URL(String(made['manifestUrl'])).pathname;
  const { download } = (await call(second, 'GET', address)).body;
  expect((await account.as('GET', path)).body).toMatchObject({
    manifestAt: expect.any(String) as unknown,
    packageAt: null,
  });
  const zip = await fetch(second + new URL(String(download)).pathname);
  expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip']);
  expect((await account.as('GET', path)).body).toMatchObject({
    ...made,
    manifestAt: expect.any(String) as unknown,
    packageAt: expect.any(String) as unknown,
  });
  expect((await stranger.as('GET', path)).body).toEqual(other);
});

it('makes one word for requests that come at once', async () => {
  const account = await createAccount(url);
  const made = await Promise.all(
    [url, second, url, second].map((at) => call(at, 'POST', path, { headers: bearer(account.sessionToken) })),
  );
  const addresses = made.map(({ body }) => String(body['manifestUrl']).replace(second, url));
  expect(new Set(addresses).size).toBe(1);
  expect((await account.as('GET', path)).body['manifestUrl']).toBe(addresses[0]);
});

it('counts as downloads only what was sent whole', async () => {
  const account = await createAccount(url);
  const { pathname } = new URL(String((await account.as('POST', path)).body['manifestUrl']));
  const { etag } = Object.fromEntries((await fetch(url + pathname, { method: 'HEAD' })).headers);
  const known = await fetch(url + pathname, { headers: { 'if-none-match': etag ?? '' } });
  expect(known.status).toBe(304);
  expect((await account.as('GET', path)).body).toMatchObject({ manifestAt: null });
  const { download } = (await call(url, 'GET', pathname)).body;
  const zip = url + new URL(String(download)).pathname;
  expect((await fetch(zip, { method: 'HEAD' })).status).toBe(200);
  expect((await account.as('GET', path)).body).toMatchObject({
    manifestAt: expect.any(String) as unknown,
    packageAt: null,
  });
});

it('keeps nothing of words that it did not give, and serves them all the same', async () => {
  for (const word of ['0'.repeat(26), 'x', '%00', 'a'.repeat(300)]) {
    const { status } = await call(url, 'GET', `/module/${word}/module.json`);
    expect([200, 400, 414], word).toContain(status);
  }
  expect(await readRedis(redis.url)).not.toMatch(/module-install:(0{26}|x|a{26})/);
});
