import { describe, expect, it } from 'vitest';
import { createFairGate } from './fair-gate.ts';

const tooMany = () => new Error('too many');

/** A gate whose one place is taken until `open` is called; who passes then is told in order. */
async function closedGate(waiting = 100) {
  const gate = createFairGate({ running: 1, waiting, tooMany });
  const holding = Promise.withResolvers<void>();
  const first = gate.pass(
    { path: [{ key: 'first' }], isKnown: false, deadline: performance.now() + 10_000 },
    () => holding.promise,
  );
  const order: string[] = [];
  const enter = (name: string, who: { address?: string; isKnown?: boolean; waitMs?: number } = {}) =>
    gate.pass(
      {
        path: [{ key: who.address ?? name }],
        isKnown: who.isKnown ?? false,
        deadline: performance.now() + (who.waitMs ?? 10_000),
      },
      () => {
        order.push(name);
        return Promise.resolve();
      },
    );
  const open = async () => {
    holding.resolve();
    await first;
  };
  return { enter, order, open };
}

describe('a fair gate', () => {
  it('gives three of four turns to who is known, while strangers wait too', async () => {
    const { enter, order, open } = await closedGate();
    const strangers = [0, 1, 2].map((i) => enter(`stranger ${i}`));
    const known = [0, 1, 2, 3, 4, 5, 6].map((i) => enter(`known ${i}`, { isKnown: true }));
    await open();
    await Promise.all([...strangers, ...known]);
    expect(order.map((name) => name.split(' ')[0]).join(' ')).toMatch(
      /^(known ){2,3}stranger known known known stranger/,
    );
    expect(order).toHaveLength(10);
  });

  it('refuses who has no place, and who waited until the deadline', async () => {
    const { enter, order, open } = await closedGate(2);
    const late = enter('late', { address: 'one', waitMs: 20 });
    const last = enter('last', { address: 'one' });
    const alone = enter('alone');
    await expect(last).rejects.toThrow('too many');
    await expect(late).rejects.toThrow('too many');
    await open();
    await alone;
    expect(order).toEqual(['alone']);
  });

  it('takes the place of a stranger for one who is known where all places are taken', async () => {
    const { enter, order, open } = await closedGate(2);
    const stranger = enter('stranger');
    const known = [enter('known 1', { isKnown: true }), enter('known 2', { isKnown: true })];
    await expect(stranger).rejects.toThrow('too many');
    await open();
    await Promise.all(known);
    expect(order).toEqual(['known 1', 'known 2']);
  });

  it('drops the last of the known where no stranger waits', async () => {
    const { enter, order, open } = await closedGate(2);
    const places = [
      enter('a1', { address: 'a', isKnown: true }),
      enter('b1', { address: 'b', isKnown: true }),
    ];
    await expect(enter('a2', { address: 'a', isKnown: true })).rejects.toThrow('too many');
    await open();
    await Promise.all(places);
    expect(order).toEqual(['a1', 'b1']);
  });

  it('goes on after work that failed', async () => {
    const gate = createFairGate({ running: 1, waiting: 1, tooMany });
    const visitor = { path: [{ key: 'a' }], isKnown: false, deadline: performance.now() + 10_000 };
    await expect(gate.pass(visitor, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await gate.pass(visitor, () => Promise.resolve('heard'))).toBe('heard');
  });
});
