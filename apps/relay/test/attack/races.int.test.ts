import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { races } from './races/index.ts';
import { startArena } from './races/start-arena.ts';
import type { RunningArena } from './races/start-arena.ts';
import { createTally } from './tally.ts';

let arena: RunningArena;

beforeAll(async () => {
  arena = await startArena();
}, 60_000);
afterAll(() => arena.stop());

describe('of fifty at once, over two instances', () => {
  const bounded = races.filter(({ isLost }) => !isLost);
  it.each(bounded.map((race) => [race.title, race] as const))('%s', async (_title, race) => {
    const tally = createTally();
    await race.run({ ...arena, tally });
    expect(tally.findings()).toEqual([]);
  });
});
