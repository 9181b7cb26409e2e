import { describe, expect, it } from 'vitest';
import { createStrangerLines } from './stranger-lines.ts';

const waitMs = 1000;
const lines = (waiting = 100) => createStrangerLines({ waiting, waitMs });
const stranger = (address: string) => ({
  path: [{ key: address, max: 2 }],
  isKnown: false,
  deadline: performance.now() + waitMs,
});

describe('the line of an account under attack', () => {
  it('hears everybody in time who found a place, one at a time, however many there are', async () => {
    const { pass } = lines();
    let running = 0;
    const heard = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        pass('victim@example.org', stranger(`192.0.2.${index}`), async () => {
          expect(++running).toBe(1);
          await Promise.resolve();
          running--;
        }),
      ),
    );
    expect(heard.map(({ status }) => status)).toEqual(Array(8).fill('fulfilled'));
  });

  it('gives one address few places', async () => {
    const { pass } = lines();
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () =>
        pass('victim@example.org', stranger('192.0.2.1'), () => Promise.resolve()),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(results.at(-1)).toMatchObject({ reason: { code: 'overloaded' } });
  });

  it('loses its last where all lines together are too long, and other accounts’ lines lose none', async () => {
    const { pass } = lines(4);
    const attacked = Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        pass('victim@example.org', stranger(`192.0.2.${index}`), () => Promise.resolve()),
      ),
    );
    const other = [1, 2].map((index) =>
      pass('other@example.org', stranger(`192.0.2.${index}`), () => Promise.resolve('heard')),
    );
    expect(await Promise.all(other)).toEqual(['heard', 'heard']);
    const results = await attacked;
    expect(results.map(({ status }) => status)).toContain('rejected');
  });
});
