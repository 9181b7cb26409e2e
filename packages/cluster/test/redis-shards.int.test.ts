import { measureRunningTime } from '@tabletop-relay/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { shardIndex } from '../src/redis/keys.ts';
import type { FaultFleet, NetworkedInstance } from './fault-fleet.ts';
import { openFaultFleet, soon, startPair } from './fault-fleet.ts';

/** Clients of the first and of the second shard. */
const [here, there] = [0, 1].map((shard) => {
  for (let number = 0; ; number++) if (shardIndex(`client-${number}`, 2) === shard) return `client-${number}`;
}) as [string, string];

let fleet: FaultFleet;
beforeEach(async () => {
  fleet = await openFaultFleet(2);
});
afterEach(() => fleet.close());

const authority = ({ cluster }: NetworkedInstance, client: string) => cluster.directory.authority(client);

describe('with two shards of which one is silent', () => {
  test('newcomers of the other get in where an instance lost its right there, though it holds the silent one', async () => {
    const [other, cutOff] = await startPair(fleet);
    await cutOff.connect(here);
    await cutOff.connect(there);
    // It loses the second shard while it cannot hold, and the first when it can.
    fleet.holds.isAway = true;
    cutOff.networks[1]?.blackHole();
    await vi.waitFor(() => expect(authority(cutOff, there)).toBe('frozen'), soon);
    fleet.holds.isAway = false;
    cutOff.networks[0]?.blackHole();
    await vi.waitFor(() => expect(authority(cutOff, here)).toBe('held'), soon);
    await vi.waitFor(async () => expect(await other.connect(there)).toMatchObject({ outcome: 'mine' }), soon);
    expect(await other.connect(here)).toMatchObject({ outcome: 'duplicate' });
    expect([authority(cutOff, here), authority(cutOff, there)]).toEqual(['held', 'frozen']);
  });

  test('its newcomers are told so at once, and leave their places to those of the other', async () => {
    const [instance] = await startPair(fleet);
    instance.networks[0]?.blackHole();
    await vi.waitFor(() => expect(instance.cluster.health().state).toBe('degraded'), soon);
    const ranMs = measureRunningTime();
    for (let turn = 0; turn < 20; turn++)
      expect(await instance.connect(here)).toMatchObject({ outcome: 'unavailable' });
    // One that asked Redis would take 800 ms each.
    expect(ranMs()).toBeLessThan(800);
    expect(await instance.connect(there)).toMatchObject({ outcome: 'mine' });
    instance.networks[0]?.heal();
    await vi.waitFor(
      async () => expect(await instance.connect(here)).toMatchObject({ outcome: 'mine' }),
      soon,
    );
  });
});
