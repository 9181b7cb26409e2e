import { afterEach, describe, expect, it, vi } from 'vitest';
import { createStrangerGate } from './stranger-gate.ts';

const waitMs = 1000;
const open = (waiting = 100) => createStrangerGate({ waiting, waitingPerAddress: 2, waitMs });
const stranger = (address: string, account = 'victim@example.org') => ({
  account,
  address,
  deadline: performance.now() + waitMs,
});

afterEach(() => void vi.useRealTimers());

describe('the queue of an account under attack', () => {
  it('hears everybody in time who found a place, one at a time, however many there are', async () => {
    const pass = open();
    let running = 0;
    const heard = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        pass(stranger(`192.0.2.${index}`), async () => {
          expect(++running).toBe(1);
          await Promise.resolve();
          running--;
        }),
      ),
    );
    expect(heard.map(({ status }) => status)).toEqual(Array(8).fill('fulfilled'));
  });

  it('gives one address few places', async () => {
    const pass = open();
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => pass(stranger('192.0.2.1'), () => Promise.resolve())),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(results.at(-1)).toMatchObject({ reason: { code: 'overloaded' } });
  });

  it('loses its last where all queues together are too long, and those of other accounts lose none', async () => {
    const pass = open(4);
    const visitOther = (account: string) =>
      [1, 2].map((index) => pass(stranger(`192.0.2.${index}`, account), () => Promise.resolve('heard')));
    const before = visitOther('before@example.org');
    const attacked = Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => pass(stranger(`192.0.2.${index}`), () => Promise.resolve())),
    );
    const after = visitOther('after@example.org');
    expect(await Promise.all([...before, ...after])).toEqual(['heard', 'heard', 'heard', 'heard']);
    const results = await attacked;
    expect(results.map(({ status }) => status)).toContain('rejected');
  });

  /** Opens a queue that waits for 10 s at most, and tells when each of its visitors was heard. */
  function hear(count: number) {
    vi.useFakeTimers({ now: 0 });
    const pass = createStrangerGate({ waiting: 1_000, waitingPerAddress: 2, waitMs: 10_000 });
    const heard: number[] = [];
    const start = performance.now();
    const visit = (address: string) => {
      const visitor = { ...stranger(address), deadline: performance.now() + 10_000 };
      return pass(visitor, () => Promise.resolve(heard.push(performance.now() - start)));
    };
    const visits = Promise.allSettled(Array.from({ length: count }, (_, index) => visit(`192.0.2.${index}`)));
    return { heard, visits, visit };
  }

  it('hears about one a second where few wait', async () => {
    const { heard } = hear(3);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(heard).toEqual([0, 1_000, 2_000]);
  });

  it('hears as many as find a place by four fifths of the time, ten a second at most', async () => {
    const { heard, visits } = hear(200);
    await vi.advanceTimersByTimeAsync(10_000);
    const results = await visits;
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(heard.length);
    expect(heard.length).toBeGreaterThanOrEqual(80);
    expect(heard.length).toBeLessThanOrEqual(82);
    expect(heard.at(-1)).toBeLessThanOrEqual(8_200);
  });

  it('keeps its pace for a second after its last visitor, and while somebody is heard', async () => {
    vi.useFakeTimers();
    const pass = createStrangerGate({ waiting: 10, waitingPerAddress: 2, waitMs: 10_000 });
    const visitor = () => ({ ...stranger('192.0.2.1'), deadline: performance.now() + 10_000 });
    const told: string[] = [];
    await pass(visitor(), () => Promise.resolve());
    await vi.advanceTimersByTimeAsync(900);
    const second = Promise.withResolvers<void>();
    void pass(visitor(), () => (told.push('second'), second.promise));
    await vi.advanceTimersByTimeAsync(50);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_500);
    void pass(visitor(), () => Promise.resolve(told.push('third')));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(told).toEqual(['second']);
    second.resolve();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual(['second', 'third']);
    // And forgets the account then: nothing looks at its queue any more.
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
