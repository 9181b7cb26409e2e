import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Instance, Reply } from '../cluster.ts';
import { createMemoryBus } from './memory-bus.ts';
import { createMemoryHub, ownerOf } from './memory-hub.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const question = {
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
  const abandon = vi.fn<() => void>();
  const instance = { deliver: () => ({ reply: answer.promise, abandon }) } as unknown as Instance;
  const asked = new Set<never>();
  hub.members.set('boot', { boot: 'boot', instanceId: 'relay-1', instance, asked });
  hub.owners.set('client', { ...question, meta: '', boot: 'boot', conn: 'conn', epoch: 1 });
  return { hub, asked, answer, abandon, bus: createMemoryBus(hub, () => true) };
}

describe('a call within the process', () => {
  it('leaves nothing behind once it is answered', async () => {
    const { bus, asked, answer, abandon } = createTestHub();
    const call = bus.ask(question);
    expect(asked.size).toBe(1);
    expect(vi.getTimerCount()).toBe(1);
    answer.resolve(reply);
    expect(await call.reply).toBe(reply);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    call.abandon();
    expect(abandon).not.toHaveBeenCalled();
  });

  it('is abandoned at its owner when its time is over, once', async () => {
    const { bus, asked, abandon } = createTestHub();
    const call = bus.ask(question);
    const failure = call.reply.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await failure).toMatchObject({ reason: 'timeout', sent: true });
    call.abandon();
    expect(abandon).toHaveBeenCalledTimes(1);
    expect(asked.size).toBe(0);
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
