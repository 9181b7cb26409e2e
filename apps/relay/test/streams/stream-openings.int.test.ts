import type { Scope } from '@tabletop-relay/contract';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { openSse } from './sse.ts';
import type { SseOptions, SseReader } from './sse.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let world: Pairing;
beforeAll(async () => {
  cluster = await startInstances({ config: { streamsPerKey: 3 } });
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  world = await account.pair();
});
afterAll(() => cluster.stop());

const scopes: Scope[] = ['events:subscribe'];
const path = '/rolls/subscribe';
const streamOf = ({ clientId }: Pairing) => `${path}?clientId=${clientId}`;

async function keyWithId(): Promise<{ id: string; key: string }> {
  const { body } = await account.as('POST', '/auth/api-keys', { name: 'stream', scopes });
  return { id: String(body['id']), key: String(body['apiKey']) };
}

const change = (id: string, terms: object) => account.as('PATCH', `/auth/api-keys/${id}`, terms);

/** Opens a stream. `meanwhile` runs when its key was accepted, and before it is open. */
async function openDuring(
  meanwhile: () => Promise<unknown>,
  address: string,
  options: SseOptions = {},
): Promise<SseReader> {
  const { streams } = cluster.instances[0].cluster;
  const follow = streams.follow.bind(streams);
  const held = vi.spyOn(streams, 'follow').mockImplementationOnce(async (...asked) => {
    // The instance that makes a change has heard of it when it answers.
    await meanwhile();
    return await follow(...asked);
  });
  try {
    const reader = await openSse(url + address, options);
    expect(held).toHaveBeenCalledOnce();
    return reader;
  } finally {
    held.mockRestore();
  }
}

it.each([
  [
    'is revoked',
    { status: 401, problem: { code: 'key_invalid' } },
    (id: string) => account.as('DELETE', `/auth/api-keys/${id}`),
  ],
  [
    'loses the scope',
    { status: 403, problem: { code: 'scope_missing' } },
    (id: string) => change(id, { scopes: ['clients:read'] }),
  ],
  [
    'is bound to another world',
    { status: 404, problem: { code: 'client_not_found' } },
    async (id: string) => change(id, { clientIds: [(await account.pair()).clientId] }),
  ],
])(
  'a stream is refused where its key %s while it is opened, by a ticket too',
  async (_what, refusal, make) => {
    const [one, other] = [await keyWithId(), await keyWithId()];
    const body = { path, query: { clientId: world.clientId } };
    const headers = { 'x-api-key': other.key };
    const { ticket } = (await call(url, 'POST', '/events/tickets', { body, headers })).body;
    const byKey = await openDuring(() => make(one.id), streamOf(world), { key: one.key });
    expect(byKey).toMatchObject(refusal);
    const byTicket = await openDuring(() => make(other.id), `${path}?ticket=${String(ticket)}`);
    expect(byTicket).toMatchObject(refusal);
  },
);

it('a stream is refused where its world is deleted while it is opened', async () => {
  const doomed = await account.pair();
  const { key } = await keyWithId();
  const remove = () => account.as('DELETE', `/auth/known-clients/${doomed.clientId}`);
  const refused = await openDuring(remove, streamOf(doomed), { key });
  expect(refused).toMatchObject({ status: 404, problem: { code: 'client_not_found' } });
});

it('a stream is refused where the master key is regenerated while it is opened', async () => {
  const { email, password, masterKey, pair } = await createAccount(url);
  const address = streamOf(await pair());
  const regenerate = () => call(url, 'POST', '/auth/regenerate-key', { body: { email, password } });
  const refused = await openDuring(regenerate, address, { key: masterKey });
  expect(refused).toMatchObject({ status: 401, problem: { code: 'key_invalid' } });
});

it('a stream that was refused for that keeps no place', async () => {
  const { id, key } = await keyWithId();
  for (let time = 0; time < 3; time++) {
    const refused = await openDuring(() => change(id, { scopes: ['clients:read'] }), streamOf(world), {
      key,
    });
    expect(refused.status).toBe(403);
    await change(id, { scopes });
  }
  const readers = await Promise.all([1, 2, 3].map(() => openSse(url + streamOf(world), { key })));
  expect(readers.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const reader of readers) reader.close();
});

it('a stream opens where its key may still follow, and ends by the time that the key was given meanwhile', async () => {
  const { key, id } = await keyWithId();
  const other = await keyWithId();
  const removeAnother = () => account.as('DELETE', `/auth/api-keys/${other.id}`);
  const kept = await openDuring(removeAnother, streamOf(world), { key });
  const expiresAt = Date.now() + 2_000;
  const shorten = () => change(id, { expiresAt: new Date(expiresAt).toISOString() });
  const reader = await openDuring(shorten, streamOf(world), { key });
  expect([kept.status, reader.status]).toEqual([200, 200]);
  await reader.closed;
  expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
});

it('a stream is refused whose ticket is used again while it is opened, and the newer one stays', async () => {
  const { key } = await keyWithId();
  const body = { path, query: { clientId: world.clientId } };
  const made = await call(url, 'POST', '/events/tickets', { body, headers: { 'x-api-key': key } });
  const address = `${path}?ticket=${String(made.body['ticket'])}`;
  const first = await openSse(url + address);
  const lastId = (await first.next('connected')).id;
  const { streams } = cluster.instances[0].cluster;
  const follow = streams.follow.bind(streams);
  let newer: SseReader | undefined;
  const held = vi.spyOn(streams, 'follow').mockImplementationOnce(async (...asked) => {
    newer = await openSse(url + address, { lastId });
    await newer.next('connected');
    return await follow(...asked);
  });
  const older = await openSse(url + address, { lastId });
  held.mockRestore();
  expect(older).toMatchObject({ status: 401, problem: { code: 'key_invalid' } });
  await first.closed;
  // It holds one of the three places of its key, and no more.
  const others = await Promise.all([1, 2].map(() => openSse(url + streamOf(world), { key })));
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  expect((await openSse(url + streamOf(world), { key })).status).toBe(429);
  expect(newer?.isClosed()).toBe(false);
  for (const reader of [...others, newer]) reader?.close();
});
