import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProbes } from './claims.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { ClusterTimes } from '../times.ts';
import { createFakeShard } from '../../../test/fakes/fake-shard.ts';

const incumbent = { boot: 'its boot', conn: 'its conn', instanceId: 'relay-2', confirmed: '7' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Reply channels of which one becomes free when the test says so. */
function setUp() {
  const fake = createFakeShard();
  const takers: ((callId: number) => boolean)[] = [];
  const giveBack = vi.fn<(callId: number) => void>();
  const lend = (take: (callId: number) => boolean) => takers.push(take) > 0;
  const shard = { ...fake.shard, replySlots: { lend, giveBack } } as unknown as RedisShard;
  const probes = createProbes('boot', { probeAnswerMs: 3_000 } as ClusterTimes);
  return {
    ...probes,
    commands: fake.commands,
    takers,
    giveBack,
    ask: () => probes.ask(shard, 'client', incumbent),
  };
}

it.each(['alive', 'gone'] as const)('the answer that the incumbent is %s ends the probe', async (kind) => {
  const { ask, onAnswer, commands, takers, giveBack } = setUp();
  const answer = ask();
  expect(takers[0]?.(7)).toBe(true);
  expect(commands).toMatchObject([{ name: 'publish', args: ['r:cmd:its boot', expect.anything()] }]);
  onAnswer(8, { kind: 'gone' });
  onAnswer(7, { kind: 'not_mine' });
  onAnswer(7, { kind });
  expect(await answer).toBe(kind);
  expect(giveBack.mock.calls).toEqual([[7]]);
  expect(vi.getTimerCount()).toBe(0);
});

it('what is not answered in time ends as such, and a channel that comes later is not taken', async () => {
  const { ask, commands, takers, giveBack } = setUp();
  const answer = ask();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await answer).toBe('no_answer');
  expect(takers[0]?.(7)).toBe(false);
  expect([commands, giveBack.mock.calls]).toEqual([[], []]);
});

it('a probe that could not be sent is told as that, and its channel given back', async () => {
  const { ask, commands, takers, giveBack } = setUp();
  const answer = ask();
  takers[0]?.(7);
  commands[0]?.answer.reject(new Error('away'));
  await expect(answer).rejects.toThrow('away');
  expect(giveBack.mock.calls).toEqual([[7]]);
});
