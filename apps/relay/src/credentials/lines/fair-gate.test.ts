import { describe, expect, it } from 'vitest';
import { createFairGate } from './fair-gate.ts';
import type { FairGate, FairGateOptions } from './fair-gate.ts';

/** A gate whose one place is taken until `open` is called; who passes then is told in order. */
async function closedGate(options: Partial<FairGateOptions> = {}) {
  const gate = createFairGate({ running: 1, waiting: 100, ...options });
  const holding = Promise.withResolvers<void>();
  const first = gate.pass(
    { path: [{ key: 'first' }], isKnown: false, deadline: Infinity },
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
  return { gate, enter, order, open };
}

const idle = (gate: FairGate) => expect.poll(() => gate.isIdle());

describe('a fair gate', () => {
  it('gives three of four turns to who is known, while strangers wait too', async () => {
    const { gate, enter, order, open } = await closedGate();
    for (let i = 0; i < 3; i++) void enter(`stranger ${i}`);
    for (let i = 0; i < 7; i++) void enter(`known ${i}`, { isKnown: true });
    await open();
    await idle(gate).toBe(true);
    expect(order.map((name) => name.split(' ')[0]).join(' ')).toMatch(
      /^(known ){2,3}stranger known known known stranger/,
    );
    expect(order).toHaveLength(10);
  });

  it('answers who has no place, and who waited until the deadline, that it is overloaded', async () => {
    const { gate, enter, order, open } = await closedGate({ waiting: 2 });
    const late = enter('late', { address: 'one', waitMs: 20 });
    const last = enter('last', { address: 'one' });
    const alone = enter('alone');
    await expect(last).rejects.toMatchObject({ code: 'overloaded', headers: { 'retry-after': '2' } });
    await expect(late).rejects.toMatchObject({ code: 'overloaded' });
    await open();
    await alone;
    expect(order).toEqual(['alone']);
    expect(gate.isIdle()).toBe(true);
  });

  it('takes the place of a stranger for one who is known where all places are taken', async () => {
    const { gate, enter, order, open } = await closedGate({ waiting: 2 });
    const stranger = enter('stranger');
    const known = [enter('known 1', { isKnown: true }), enter('known 2', { isKnown: true })];
    await expect(stranger).rejects.toMatchObject({ code: 'overloaded' });
    expect(gate.waiting).toBe(2);
    await open();
    await Promise.all(known);
    expect(order).toEqual(['known 1', 'known 2']);
  });

  it('drops the last of the known where no stranger waits', async () => {
    const { gate, enter, order, open } = await closedGate();
    const first = enter('first', { isKnown: true });
    const last = enter('last', { isKnown: true });
    gate.dropLast();
    await expect(last).rejects.toMatchObject({ code: 'overloaded' });
    await open();
    await first;
    expect(order).toEqual(['first']);
  });

  it('goes on after work that failed', async () => {
    const gate = createFairGate({ running: 1, waiting: 1 });
    const visitor = { path: [{ key: 'a' }], isKnown: false, deadline: Infinity };
    await expect(gate.pass(visitor, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await gate.pass(visitor, () => Promise.resolve('heard'))).toBe('heard');
  });
});
