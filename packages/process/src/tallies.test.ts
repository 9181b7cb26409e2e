import { Histogram, Registry } from 'prom-client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TalliedCounter, TalliedHistogram } from './tallies.ts';

const words = { name: 'calls', help: 'Calls.', labelNames: ['operation', 'outcome'] as const };

describe('a tallied counter', () => {
  it('adds what was tallied to what was counted, once', async () => {
    const registry = new Registry();
    const counter = new TalliedCounter({ ...words, registers: [registry] });
    const rolls = counter.tally({ operation: 'roll', outcome: 'ok' });
    counter.tally({ operation: 'rest', outcome: 'ok' });
    rolls.count += 2;
    counter.inc({ operation: 'roll', outcome: 'client_lost' });
    await registry.metrics();
    rolls.count += 1;
    const { values } = await counter.get();
    expect(values.map(({ labels, value }) => [labels, value])).toEqual([
      [{ operation: 'roll', outcome: 'client_lost' }, 1],
      [{ operation: 'roll', outcome: 'ok' }, 3],
    ]);
    const text = await registry.metrics();
    expect(text).toContain('calls{operation="roll",outcome="ok"} 3');
    expect(text).not.toContain('rest');
  });
});

describe('a tallied histogram', () => {
  const config = {
    name: 'seconds',
    help: 'Seconds.',
    labelNames: ['operation'] as const,
    buckets: [0.5, 1, 2],
  };

  it('reads as the one of prom-client, whatever the values', async () => {
    const value = fc.oneof(fc.constantFrom(0, 0.5, 1, 2), fc.double({ min: 0, max: 4, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1 }), fc.array(value), async (rolls, rests) => {
        const [ours, theirs] = [new Registry(), new Registry()];
        const tallied = new TalliedHistogram({ ...config, registers: [ours] });
        const plain = new Histogram({ ...config, registers: [theirs] });
        tallied.tally({ operation: 'never called' });
        for (const [operation, values] of Object.entries({ rolls, rests })) {
          const tally = tallied.tally({ operation });
          for (const one of values) {
            tally.observe(one);
            plain.observe({ operation }, one);
          }
        }
        expect(await ours.metrics()).toBe(await theirs.metrics());
      }),
    );
  });

  it('reads the same twice, and goes on counting', async () => {
    const registry = new Registry();
    const tally = new TalliedHistogram({ ...config, registers: [registry] }).tally({
      operation: 'roll',
    });
    tally.observe(1);
    expect(await registry.metrics()).toBe(await registry.metrics());
    tally.observe(3);
    const text = await registry.metrics();
    expect(text).toContain('seconds_bucket{le="2",operation="roll"} 1');
    expect(text).toContain('seconds_bucket{le="+Inf",operation="roll"} 2');
    expect(text).toContain('seconds_sum{operation="roll"} 4');
  });
});
