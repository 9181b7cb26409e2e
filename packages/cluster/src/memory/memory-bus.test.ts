import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Instance, Reply } from '../cluster.ts';
import { createMemoryBus } from './memory-bus.ts';
import { createMemoryHub, ownerOf } from './memory-hub.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const call = {
  clientId: 'client',
  accountId: 'account',
  head: {},
  body: Buffer.from('x'),
  budgetMs: 1_000,
};
const reply: Reply = { head: {}, body: Buffer.from('y') };

/** A hub with one instance, which owns the client and answers when the test says so. */
function createTestHub() {
  const hub = createMemoryHub();
  const answer = Promise.withResolvers<Reply>();
  const onAbort = vi.fn<() => void>();
  const deliver: Instance['deliver'] = (_call, signal) => {
    signal.addEventListener('abort', onAbort);
    return answer.promise;
  };
  const calls = new Set<never>();
  hub.members.set('boot', { boot: 'boot', instanceId: 'relay-1', instance: { deliver } as Instance, calls });
  hub.owners.set('client', { ...call, meta: '', boot: 'boot', conn: 'conn', epoch: 1 });
  const caller = new AbortController();
  const start = () => createMemoryBus(hub, () => true).call(call, caller.signal);
  return { hub, calls, answer, onAbort, caller, start };
}

describe('a call within the process', () => {
  it('leaves nothing behind once it is answered', async () => {
    const { start, calls, answer, onAbort, caller } = createTestHub();
    const replied = start();
    expect(calls.size).toBe(1);
    expect(vi.getTimerCount()).toBe(1);
    answer.resolve(reply);
    expect(await replied).toBe(reply);
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    caller.abort();
    expect(onAbort).not.toHaveBeenCalled();
  });

  it('is abandoned at its owner when its time is over, once', async () => {
    const { start, calls, onAbort, caller, answer } = createTestHub();
    const failure = start().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await failure).toMatchObject({ reason: 'timeout', sent: true });
    caller.abort();
    expect(onAbort).toHaveBeenCalledTimes(1);
    expect(calls.size).toBe(0);
    const release = vi.fn<() => void>();
    answer.resolve({ ...reply, release });
    await vi.advanceTimersByTimeAsync(0);
    expect(release).toHaveBeenCalledOnce();
  });

  it('that nobody waits for any more is not delivered', async () => {
    const { start, caller, calls } = createTestHub();
    caller.abort();
    await expect(start()).rejects.toMatchObject({ reason: 'aborted', sent: false });
    expect(calls.size).toBe(0);
  });
});

describe('a client that moves', () => {
  it('is nobody’s once its time has run out, and is not kept', () => {
    const { hub } = createTestHub();
    const record = hub.owners.get('client');
    expect(record).toBeDefined();
    Object.assign(record ?? {}, { movingUntil: performance.now() + 100 });
    expect(ownerOf(hub, 'client')).toBe(record);
    vi.advanceTimersByTime(100);
    expect(ownerOf(hub, 'client')).toBeUndefined();
    expect(hub.owners.size).toBe(0);
  });
});
