import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { send } from '../problem.ts';
import cases from './lenient-calls.json' with { type: 'json' };

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let clientId: string;
let module: TabletopModule;

beforeAll(async () => {
  cluster = await startInstances({});
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  key = await account.createKey();
  const pairing = await account.pair({ worldId: 'sunken-chapel', systemId: 'sys5e' });
  ({ clientId } = pairing);
  const storage = memoryStorage({ clientId, connectionToken: pairing.token, pairedRelayUrl: url });
  module = createWorldModule(createWorld({ seed: 1 }), { storage });
  await module.connect();
});
afterAll(async () => {
  module.close();
  await cluster.stop();
});

interface Case {
  why: string;
  request: { method: string; path: string; headers?: Record<string, string>; body?: string };
  expect: {
    status: number | number[];
    text?: string;
    header?: Record<string, string>;
    equals?: Record<string, unknown>;
    has?: string[];
  };
}

const ask = (path: string, { method = 'GET', headers = {}, body }: Partial<Case['request']> = {}) =>
  send(method, url + path.replace('{C}', clientId), {
    headers: { 'x-api-key': key, ...headers },
    ...(body === undefined ? {} : { body }),
  });

/** The value at a dotted path. */
const valueAt = (answer: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], answer);

describe('a program that was written for another relay sends', () => {
  it.each(cases as unknown as Case[])('$why', async ({ request, expect: expected }) => {
    const { status, headers, body } = await ask(request.path, request);
    expect([expected.status].flat()).toContain(status);
    expect(JSON.stringify(body)).toContain(expected.text ?? '');
    expect(headers).toMatchObject(expected.header ?? {});
    for (const [path, value] of Object.entries(expected.equals ?? {}))
      expect(valueAt(body, path)).toEqual(value);
    for (const path of expected.has ?? []) expect([path, valueAt(body, path)]).not.toEqual([path, undefined]);
  });
});

describe('the names that a call was made without', () => {
  it('stand on the answer, encoded, and where a page may read them', async () => {
    const { status, headers } = await ask('/players?clientId={C}&mood=%C3%A9,%20%22&_=1');
    expect([status, headers['x-ignored-parameters']]).toEqual([200, 'mood, _']);
    expect(headers['access-control-expose-headers']).toContain('x-ignored-parameters');
    const odd = await ask(`/players?clientId={C}&${encodeURIComponent('é, "\r\n')}=1`);
    expect(odd.headers['x-ignored-parameters']).toBe('%C3%A9%2C%20%22%0D%0A');
    expect((await ask('/players?clientId={C}')).headers).not.toHaveProperty('x-ignored-parameters');
  });

  it('stand on a refusal of the world too, and in the log', async () => {
    const { status, headers } = await ask('/get?clientId={C}&uuid=Actor.nobody&mood=1');
    expect([status, headers['x-ignored-parameters']]).toEqual([422, 'mood']);
    const find = async () => {
      const { items } = (await account.as('GET', '/auth/calls')).body as {
        items: { requestId: string; ignoredParameters: string[] }[];
      };
      return items.find(({ requestId }) => requestId === headers['x-request-id'])?.ignoredParameters;
    };
    await expect.poll(find, { timeout: 10_000 }).toEqual(['mood']);
  });

  it('are twenty at most, of 512 bytes at most, and of a hundred no call is made', async () => {
    const named = (count: number, name = 'k') =>
      Array.from({ length: count }, (_, index) => `${name}${index}q=1`).join('&');
    const many = await ask(`/players?clientId={C}&${named(100)}`);
    expect(String(many.headers['x-ignored-parameters']).split(', ')).toHaveLength(20);
    const long = await ask(`/players?clientId={C}&${named(20, 'é'.repeat(20))}`);
    expect(String(long.headers['x-ignored-parameters']).length).toBeLessThanOrEqual(512);
    expect(await ask(`/players?clientId={C}&${named(101)}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', outcome: 'not_sent' },
    });
  });

  it('are none where a call does more with less: the chat stays, and the encounter goes on', async () => {
    const refused = { status: 400, body: { code: 'invalid_request', outcome: 'not_sent' } };
    const chat = async () => (await ask('/chat?clientId={C}')).body;
    await ask('/chat?clientId={C}', { method: 'POST', body: '{"content":"x"}', headers: json });
    const before = await chat();
    expect(await ask('/chat?clientId={C}&messageId=x', { method: 'DELETE' })).toMatchObject(refused);
    expect(await ask('/end-encounter?clientId={C}&combatId=x', { method: 'POST' })).toMatchObject(refused);
    expect(await chat()).toMatchObject({ data: (before as { data: object }).data });
  });
});

const json = { 'content-type': 'application/json' };

describe('GET /scene/image/raw', () => {
  it.each([undefined, '*/*', 'application/json', 'application/json, image/*;q=0.5'])(
    'answers the world’s JSON to Accept %s',
    async (accept) => {
      const { body } = await ask('/scene/image/raw?clientId={C}&sceneId=crypt', {
        headers: accept === undefined ? {} : { accept },
      });
      expect(body).toMatchObject({ type: 'scene-raw-image-result', data: { sceneId: 'crypt' } });
    },
  );

  it.each(['image/*', 'image/png', 'image/avif,image/webp,*/*;q=0.8'])(
    'answers the picture to Accept %s',
    async (accept) => {
      const response = await fetch(`${url}/scene/image/raw?clientId=${clientId}&sceneId=crypt`, {
        headers: { 'x-api-key': key, accept },
      });
      expect(response.headers.get('content-type')).toBe('image/png');
    },
  );
});
