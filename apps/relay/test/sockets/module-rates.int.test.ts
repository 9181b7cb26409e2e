import { connectFakeModule } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing } from '@tabletop-relay/testing/scenes';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RoomSettings } from '../../src/config.ts';
import { startInstances } from '../instances.ts';
import type { TestInstance } from '../instances.ts';
import { textFrame } from './wire/sent-frames.ts';

const players = (url: string, key: string, { clientId }: Pairing) =>
  call(url, 'GET', `/players?clientId=${clientId}`, { headers: { 'x-api-key': key } });

async function setUp(config: Partial<RoomSettings> = {}) {
  const cluster = await startInstances({ config });
  onTestFinished(() => cluster.stop());
  const [instance] = cluster.instances;
  const { url } = instance;
  const account = await createAccount(url);
  const pairing = await account.pair();
  const module = await connectModule(url, pairing);
  onTestFinished(() => module.cut());
  const key = await account.createKey();
  const ask = () => players(url, key, pairing);
  return { url, instance, account, key, pairing, module, ask, logs: cluster.logs };
}

async function counted({ registry }: TestInstance, name: string): Promise<number> {
  return (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
}

async function answer(module: FakeModule): Promise<void> {
  const { requestId } = await module.next('players', 20_000);
  module.send({ type: 'players-result', requestId, users: [] });
}

/** A frame as it stands on the wire, masked with zeros: so a flood costs this process next to nothing. */
const onTheWire = (text: string): Buffer => textFrame(text, { mask: Buffer.alloc(4) });

const unasked = (bytes: number) =>
  `{"type":"players-result","requestId":"players_1","data":"${'x'.repeat(bytes)}"}`;

describe('a module that sends faster than its rates', () => {
  it('in bytes is read more slowly, loses nothing and answers its calls', async () => {
    const { instance, module, ask, logs } = await setUp({
      moduleBytesPerSecond: 8_000_000,
      moduleBurstBytes: 1_000_000,
    });
    const open = ask();
    const startedAt = performance.now();
    for (let sent = 0; sent < 9; sent++) module.send(unasked(1_000_000));
    await answer(module);
    expect((await open).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(1_500);
    expect(await counted(instance, 'relay_large_frames_dropped_total')).toBe(9);
    expect(await counted(instance, 'relay_modules_held_total')).toBeGreaterThan(1);
    expect(logs.filter(({ msg }) => msg === 'module sends too fast: it is read more slowly')).toHaveLength(1);
    expect(module.socket.readyState).toBe(module.socket.OPEN);
  });

  it('in frames is read more slowly, loses nothing and answers its calls', async () => {
    const { instance, module, ask } = await setUp({ moduleFramesPerSecond: 1_000, moduleBurstFrames: 500 });
    const open = ask();
    const startedAt = performance.now();
    for (let sent = 0; sent < 3_000; sent++) module.send({ type: 'skill-check-result', requestId: 'x' });
    await answer(module);
    expect((await open).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(1_500);
    expect(await counted(instance, 'relay_replies_dropped_total')).toBe(3_000);
    expect(module.socket.readyState).toBe(module.socket.OPEN);
  });

  it('is not given up as silent nor replaced while it is not read, and its calls end in time', async () => {
    const { url, instance, module, pairing, ask } = await setUp({
      moduleBytesPerSecond: 600_000,
      moduleBurstBytes: 100_000,
      heartbeatMs: 1_000,
      callTimeoutMs: 1_500,
    });
    module.send(unasked(1_500_000));
    await expect.poll(() => counted(instance, 'relay_modules_held_total')).toBeGreaterThan(0);
    const heldAt = performance.now();
    const late = ask();
    await answer(module);
    const newcomer = await connectFakeModule({ url, ...pairing });
    expect((await newcomer.closed).code).toBe(4004);
    expect((await late).body).toMatchObject({ code: 'client_timeout' });
    // The first may have been read together with the end of the large frame.
    for (let asked = 0; asked < 2; asked++) {
      module.send({ type: 'ping' });
      await module.next('pong', 10_000);
    }
    expect(performance.now() - heldAt).toBeGreaterThan(2_500);
    expect(await counted(instance, 'relay_replies_dropped_total')).toBe(1);
    const served = ask();
    await answer(module);
    expect((await served).status).toBe(200);
  });

  it('for longer than the patience with it is closed with 4000 and told why', async () => {
    const { module, ask } = await setUp({
      moduleBytesPerSecond: 1_000_000,
      moduleBurstBytes: 1_000_000,
      modulePatienceMs: 500,
    });
    const open = ask();
    for (let sent = 0; sent < 20; sent++) module.send(unasked(500_000));
    expect(await module.closed).toEqual({
      code: 4000,
      reason: 'Above 1000000 bytes or 1000 frames a second for 0.5 s',
    });
    expect((await open).body).toMatchObject({ code: 'client_lost' });
  });
});

it('a whole scene, and a hundred answers of a megabyte each, come without a hold', async () => {
  const { url, instance, module, key, pairing } = await setUp();
  module.send(`{"type":"hook-event","data":{"hook":"updateScene","args":["${'x'.repeat(10_000_000)}"]}}`);
  // Answers to ten at once have room. Once one has come, calls with more than that would be refused.
  const callers = Array.from({ length: 10 }, async () => {
    for (let asked = 0; asked < 10; asked++) {
      const response = await fetch(`${url}/players?clientId=${pairing.clientId}`, {
        headers: { 'x-api-key': key },
      });
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1_000_000);
    }
  });
  const data = 'x'.repeat(1_000_000);
  for (let sent = 0; sent < 100; sent++) {
    const { requestId } = await module.next('players');
    module.send(`{"type":"players-result","requestId":"${String(requestId)}","data":"${data}"}`);
  }
  await Promise.all(callers);
  expect(await counted(instance, 'relay_modules_held_total')).toBe(0);
});

it('of scenes of 15 MB that nobody listens to one comes at once, and the world’s answers have their part of the burst', async () => {
  // A slow machine gives no time in which the burst would be refilled.
  const { instance, module, ask } = await setUp({ moduleBytesPerSecond: 1_000_000 });
  const scene = `{"type":"hook-event","data":{"hook":"updateScene","args":["${'x'.repeat(15_000_000)}"]}}`;
  const held = () => counted(instance, 'relay_modules_held_total');
  const dropped = () => counted(instance, 'relay_large_frames_dropped_total');
  module.send(scene);
  await expect.poll(dropped).toBe(1);
  const open = ask();
  const { requestId } = await module.next('players');
  module.send(
    `{"type":"players-result","requestId":"${String(requestId)}","data":"${'x'.repeat(15_000_000)}"}`,
  );
  expect((await open).status).toBe(200);
  expect(await held()).toBe(0);
  module.send(scene);
  module.send(scene);
  await expect.poll(held).toBe(1);
  expect(module.socket.readyState).toBe(module.socket.OPEN);
});

/** How fast they are answered is measured by `pnpm attack`. */
describe('another tenant’s calls on the same instance', () => {
  /** One frame of 15 MB empties its bucket; what it answers behind a flood comes late, and in time. */
  const slow = { moduleBurstBytes: 16_000_000, moduleBytesPerSecond: 20_000_000, callTimeoutMs: 60_000 };

  /** Keeps the transport full until it is told to stop. */
  function flood(module: FakeModule, bytes: Buffer): () => void {
    const { transport } = module;
    let isOn = true;
    const fill = () => {
      while (isOn && transport.writable && transport.write(bytes));
    };
    transport.on('drain', fill);
    fill();
    return () => {
      isOn = false;
      transport.off('drain', fill);
    };
  }

  it.each([
    ['frames of 15 MB that nobody waits for', onTheWire(unasked(15_000_000)), slow],
    ['tiny frames', Buffer.concat(Array.from({ length: 3_000 }, () => onTheWire('{"type":"x"}'))), {}],
    [
      'frames just small enough to be parsed',
      Buffer.concat(
        Array.from({ length: 8 }, () => onTheWire(`{"type":"x","data":[${'1,'.repeat(125_000)}1]}`)),
      ),
      slow,
    ],
  ])('are answered during a flood of %s, and its module stays connected', async (_what, bytes, config) => {
    const { url, instance, module, ask } = await setUp(config);
    const neighbour = await createAccount(url);
    const pairing = await neighbour.pair();
    const theirs = await connectModule(url, pairing, () => ({ users: [] }));
    onTestFinished(() => theirs.cut());
    const key = await neighbour.createKey();
    const stop = flood(module, bytes);
    for (let made = 0; made < 20; made++) expect((await players(url, key, pairing)).status).toBe(200);
    // What has been sent of a frame of 15 MB by now may be less than the burst.
    const held = () => counted(instance, 'relay_modules_held_total');
    await expect.poll(held, { timeout: 10_000 }).toBeGreaterThan(0);
    stop();
    expect(module.socket.readyState).toBe(module.socket.OPEN);
    // Behind a flood of tiny frames its own answers wait for minutes.
    if (bytes.length < 100_000) return;
    const served = ask();
    await answer(module);
    expect((await served).status).toBe(200);
  });
});
