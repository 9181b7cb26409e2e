import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { openSse } from '../streams/sse.ts';
import type { SseOptions, SseReader } from '../streams/sse.ts';

const within = { timeout: 15_000, interval: 10 };

let two: TwoInstances;
let account: TestAccount;
let world: Pairing;
let module: FakeModule;
beforeAll(async () => {
  two = await startTwo('redis');
  account = await createAccount(two.first.url);
  world = await account.pair();
  module = await connectModule(two.first.url, world);
});
afterAll(async () => {
  await module.close();
  await two.stop();
});

const path = '/encounters/subscribe';
const open = (options: SseOptions, at = two.second, query = `clientId=${world.clientId}`) =>
  openSse(`${at.url}${path}?${query}`, options);
const turn = (encounterId: string) =>
  module.send({ type: 'combat-event', data: { eventType: 'turn', encounterId } });

async function newKey(): Promise<{ id: string; key: string }> {
  const terms = { name: 'listener', scopes: ['events:subscribe'] };
  const { body } = await account.as('POST', '/auth/api-keys', terms);
  return { id: String(body['id']), key: String(body['apiKey']) };
}

const targets = {
  key: (id: string, what: string) => account.as('POST', `/auth/api-keys/${id}/${what}`),
  world: (_id: string, what: string) => account.as('POST', `/auth/known-clients/${world.clientId}/${what}`),
};

/** The turns that a stream brought, by their encounters. */
const turns = (reader: SseReader) =>
  reader.data().flatMap(({ encounterId }) => (encounterId ? [encounterId] : []));

/** Sends a turn until the watcher of another key has it, so that it is in the history. */
async function happen(encounterId: string, watcher: SseReader): Promise<void> {
  await vi.waitFor(() => {
    if (!turns(watcher).includes(encounterId)) turn(encounterId);
    expect(turns(watcher)).toContain(encounterId);
  }, within);
}

describe.each(['key', 'world'] as const)('while its %s is paused, a stream', (of) => {
  const pause = (id: string) => targets[of](id, 'pause');
  const resume = (id: string) => targets[of](id, 'resume');

  it('stays open and silent, and brings nothing of that time, not to who comes back either', async () => {
    const { id, key } = await newKey();
    const ownWatcher = await newKey();
    const reader = await open({ key });
    // With the world paused nobody but its own history knows what happened: a stream of before is told so too.
    const watcher = await open({ key: ownWatcher.key }, two.first);
    await happen('before', watcher);
    await vi.waitFor(() => expect(turns(reader)).toContain('before'), within);
    const lastId = reader.lastId();
    await pause(id);
    const paused = await reader.next('paused');
    expect(paused.data).toMatchObject({ of, setIn: 'relay', clientId: world.clientId, channel: 'combat' });
    expect(paused.data['since']).toMatch(/^\d{4}-/);
    if (of === 'key') await happen('meanwhile', watcher);
    else {
      await watcher.next('paused');
      for (let n = 0; n < 5; n++) turn('meanwhile');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(reader.isClosed()).toBe(false);
    const refused = await open({ key, lastId });
    expect(refused).toMatchObject({ status: 403, problem: { code: 'paused', pause: { of } } });
    await resume(id);
    await reader.next('resumed');
    const gap = await reader.next('gap');
    expect(gap.data['dropped']).toBeGreaterThan(0);
    if (of === 'world') await watcher.next('resumed');
    await happen('after', watcher);
    await vi.waitFor(() => expect(turns(reader)).toContain('after'), within);
    expect(turns(reader)).not.toContain('meanwhile');
    const names = reader.names();
    expect(names.slice(names.indexOf('paused'), names.indexOf('resumed') + 2)).toEqual([
      'paused',
      'resumed',
      'gap',
    ]);

    for (const from of [lastId, paused.id, gap.id]) {
      const back = await open({ key, lastId: from });
      expect((await back.next('connected')).data['recovered'], from).toBe(from === gap.id);
      await vi.waitFor(() => expect(turns(back)).toContain('after'), within);
      expect(turns(back)).not.toContain('meanwhile');
      expect(turns(back)).not.toContain('before');
      back.close();
    }
    // What comes later is recovered as ever.
    const later = await open({ key, lastId: reader.lastId() });
    expect((await later.next('connected')).data['recovered']).toBe(true);
    for (const one of [reader, watcher, later]) one.close();
  });

  it('of a ticket is put off where it lost its connection, and goes on afterwards', async () => {
    const { id, key } = await newKey();
    const body = { path, query: { clientId: world.clientId } };
    const made = await call(two.first.url, 'POST', '/events/tickets', {
      body,
      headers: { 'x-api-key': key },
    });
    const query = `ticket=${String(made.body['ticket'])}`;
    const reader = await open({}, two.second, query);
    await reader.next('connected');
    const lastId = reader.lastId();
    await pause(id);
    await reader.next('paused');
    reader.close();
    await reader.closed;
    const putOff = await open({ lastId }, two.first, query);
    await putOff.closed;
    expect(putOff.status).toBe(200);
    expect(putOff.names()).toEqual([]);
    expect(putOff.retryMs()).toBeGreaterThanOrEqual(3_000);
    await resume(id);
    await vi.waitFor(async () => {
      const back = await open({ lastId }, two.first, query);
      expect((await back.next('connected')).data['recovered']).toBe(true);
      back.close();
    }, within);
  });
});

it('where both are paused, a stream goes on when both are lifted', async () => {
  const { id, key } = await newKey();
  const reader = await open({ key });
  await reader.next('connected');
  await targets.key(id, 'pause');
  expect((await reader.next('paused')).data).toMatchObject({ of: 'key' });
  await targets.world(id, 'pause');
  await targets.key(id, 'resume');
  expect((await reader.next('paused')).data).toMatchObject({ of: 'world' });
  expect(reader.names()).not.toContain('resumed');
  await targets.world(id, 'resume');
  await reader.next('resumed');
  await reader.next('gap');
  reader.close();
});
