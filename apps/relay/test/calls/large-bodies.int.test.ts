import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RoomSettings } from '../../src/config.ts';
import { startTwo } from '../drivers.ts';
import type { drivers } from '../drivers.ts';
import type { TestInstance } from '../instances.ts';
import { send } from '../problem.ts';
import { headOf, openRaw } from '../raw-connection.ts';

const soon = { timeout: 20_000, interval: 20 };

/** A caller on the first instance, and a world on the second. */
async function setUp(driver: (typeof drivers)[number], config: Partial<RoomSettings>) {
  const { first: asker, second: owner, stop } = await startTwo(driver, { config });
  onTestFinished(stop);
  const account = await createAccount(asker.url);
  const pairing = await account.pair();
  const module = await connectModule(owner.url, pairing);
  onTestFinished(() => module.cut());
  const headers = { 'x-api-key': await account.createKey(), 'content-type': 'application/json' };
  const path = `/sys5e/skill-check?clientId=${pairing.clientId}`;
  /** A call whose body has so many bytes. */
  const call = (url: string, bytes = 0) =>
    send('POST', `${url}${path}`, { headers, body: '{"actorUuid":"Actor.a","skill":"prc"}'.padEnd(bytes) });
  return { asker, owner, module, headers, path, call, clientId: pairing.clientId };
}

async function answer(module: FakeModule, bytes = 0): Promise<void> {
  const { requestId } = await module.next('skill-check', 20_000);
  module.send({ type: 'skill-check-result', requestId, data: { text: 'x'.repeat(bytes) } });
}

async function heldBytes({ registry }: TestInstance): Promise<number> {
  return (await registry.getSingleMetric('relay_reply_bytes_held')?.get())?.values[0]?.value ?? 0;
}

describe('a caller that reads nothing of a large answer', () => {
  it('is cut off, and until then its world is not read, but keeps its connection', async () => {
    const { asker, owner, module, headers, path, call } = await setUp('redis', {
      callerReadTimeoutMs: 3_000,
      replyBytesPerClient: 1_000_000,
      heartbeatMs: 1_000,
    });
    // Larger than what the system keeps for a connection that is not read.
    const bytes = 15_000_000;
    const raw = openRaw(owner.url);
    onTestFinished(() => void raw.socket.destroy());
    raw.socket.pause();
    const body = '{"actorUuid":"Actor.a","skill":"prc"}';
    raw.socket.write(headOf('POST', path, { ...headers, 'content-length': body.length }) + body);
    await answer(module, bytes);
    await vi.waitFor(async () => expect(await heldBytes(owner)).toBeGreaterThan(bytes), soon);
    const next = call(asker.url);
    await answer(module);
    const startedAt = performance.now();
    expect((await next).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
    expect(await heldBytes(owner)).toBe(0);
    raw.socket.resume();
    await raw.closed;
    expect(raw.received().length).toBeLessThan(bytes);
  });
});

describe('an answer of 15 MB', () => {
  it('comes whole from the world of another instance, and counts no longer as in flight then', async () => {
    const { asker, owner, module, call } = await setUp('redis', {});
    const waiting = call(asker.url);
    await answer(module, 15_000_000);
    const { status, body } = await waiting;
    expect(status).toBe(200);
    expect((body as { data: { text: string } }).data.text).toHaveLength(15_000_000);
    await vi.waitFor(async () => expect(await heldBytes(owner)).toBe(0), soon);
  });
});

describe.each(['memory', 'redis'] as const)('answers of 1 MB, sixteen at once (%s)', (driver) => {
  it('come as their world sent each of them', async () => {
    const { asker, owner, module, call } = await setUp(driver, {});
    const letters = Array.from('abcdefghijklmnop');
    const bytes = 1_000_000;
    for (let round = 0; round < 2; round++) {
      const calls = letters.map((_, index) => call(index % 2 === 0 ? asker.url : owner.url));
      // oxlint-disable no-await-in-loop -- The world answers one after the other, and the rounds follow each other.
      for (const letter of letters) {
        const { requestId } = await module.next('skill-check', 20_000);
        module.send({ type: 'skill-check-result', requestId, data: { text: letter.repeat(bytes) } });
      }
      const answers = await Promise.all(calls);
      // oxlint-enable no-await-in-loop
      const texts = answers.map(({ body }) => (body as { data: { text: string } }).data.text);
      expect(texts.map((text) => text === text[0]?.repeat(bytes))).toEqual(letters.map(() => true));
      expect(new Set(texts.map((text) => text[0]))).toEqual(new Set(letters));
    }
    await vi.waitFor(async () => expect(await heldBytes(owner)).toBe(0), soon);
  });
});

describe('large requests', () => {
  it('of one key are refused above its bytes in flight, before they are read; small ones and later ones pass', async () => {
    const { asker, module, call } = await setUp('memory', { requestBytesPerKey: 300_000 });
    const first = call(asker.url, 200_000);
    const { requestId } = await module.next('skill-check', 20_000);
    const refused = await call(asker.url, 200_000);
    expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded', outcome: 'not_sent' } });
    const small = call(asker.url);
    await answer(module);
    expect((await small).status).toBe(200);
    module.send({ type: 'skill-check-result', requestId, data: {} });
    expect((await first).status).toBe(200);
    const later = call(asker.url, 200_000);
    await answer(module);
    expect((await later).status).toBe(200);
  });

  it('of all keys are refused above the bytes of the instance', async () => {
    const { asker, module, call } = await setUp('memory', { requestBytes: 300_000 });
    const first = call(asker.url, 200_000);
    const { requestId } = await module.next('skill-check', 20_000);
    expect(await call(asker.url, 200_000)).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    module.send({ type: 'skill-check-result', requestId, data: {} });
    expect((await first).status).toBe(200);
  });

  it('that name no length are counted as they come, and small ones never', async () => {
    const { asker, module, headers, path } = await setUp('memory', { requestBytesPerKey: 300_000 });
    const chunked = (bytes: number) => {
      const raw = openRaw(asker.url);
      onTestFinished(() => void raw.socket.destroy());
      const body = '{"actorUuid":"Actor.a","skill":"prc"}'.padEnd(bytes);
      const chunk = `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      raw.socket.write(headOf('POST', path, { ...headers, 'transfer-encoding': 'chunked' }) + chunk);
      return raw;
    };
    const first = chunked(250_000);
    const { requestId } = await module.next('skill-check', 20_000);
    const small = Array.from({ length: 20 }, () => chunked(2_000));
    for (const _ of small) await answer(module); // oxlint-disable-line no-await-in-loop -- One after the other.
    expect(await Promise.all(small.map((raw) => raw.status()))).toEqual(small.map(() => 200));
    expect(await chunked(150_000).status()).toBe(503);
    module.send({ type: 'skill-check-result', requestId, data: {} });
    expect(await first.status()).toBe(200);
    const later = chunked(250_000);
    await answer(module);
    expect(await later.status()).toBe(200);
  });
});

describe.each(['memory', 'redis'] as const)('an actor that is written whole (%s)', (driver) => {
  it.each([1_300_000, 7_900_000])('with %i bytes reaches its world as it is', async (bytes) => {
    const { asker, owner, module, headers, clientId } = await setUp(driver, {});
    const item = {
      _id: 'a'.repeat(16),
      name: 'Längsschwert',
      system: { uses: { max: '' }, properties: ['lgt'] },
    };
    const count = Math.floor(bytes / Buffer.byteLength(`${JSON.stringify(item)},`));
    const data = { name: 'Mira', type: 'character', items: Array.from({ length: count }, () => item) };
    const body = JSON.stringify({ entityType: 'Actor', data });
    expect(Buffer.byteLength(body)).toBeGreaterThan(bytes * 0.99);
    for (const { url } of [owner, asker]) {
      const created = send('POST', `${url}/create?clientId=${clientId}`, { headers, body });
      // oxlint-disable no-await-in-loop -- Local first, then from the other instance.
      const command = await module.next('create', 20_000);
      // Comparing the objects would take longer than all else here.
      expect(JSON.stringify(command['data']) === JSON.stringify(data)).toBe(true);
      module.send({ type: 'create-result', requestId: command['requestId'], uuid: 'Actor.a', entity: {} });
      expect((await created).status).toBe(200);
      // oxlint-enable no-await-in-loop
    }
  });

  it('with very many items is put off behind another one of its account, and others are not', async () => {
    const { asker, module, headers, clientId, call } = await setUp(driver, {});
    const data = {
      items: Array.from({ length: 60_000 }, (_, index) => ({ name: `item ${index}`.padEnd(60), flags: {} })),
    };
    const body = JSON.stringify({ entityType: 'Actor', data });
    const create = () => send('POST', `${asker.url}/create?clientId=${clientId}`, { headers, body });
    const first = create();
    const { requestId } = await module.next('create', 20_000);
    const second = await create();
    expect(second).toMatchObject({ status: 503, body: { code: 'overloaded', outcome: 'not_sent' } });
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(1);
    const small = call(asker.url, 1_000_000);
    await answer(module);
    expect((await small).status).toBe(200);
    module.send({ type: 'create-result', requestId, uuid: 'Actor.a', entity: {} });
    expect((await first).status).toBe(200);
  });

  it('with more than 8 MiB is refused before it is read', async () => {
    const { asker, headers, clientId } = await setUp(driver, {});
    const body = JSON.stringify({ entityType: 'Actor', data: { name: 'x'.repeat(8_388_608) } });
    const refused = await send('POST', `${asker.url}/create?clientId=${clientId}`, { headers, body });
    expect(refused).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });
});
