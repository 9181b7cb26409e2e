import { expect, test } from 'vitest';
import { refusal, token } from '../../../test/look-up.ts';
import { createWorld } from '../world.ts';
import type { World } from '../world.ts';

/** A world whose pictures are the drawings themselves. */
const createDrawn = (): World => {
  const runScript = () => Promise.reject(new Error('no scripts'));
  return createWorld({ seed: 1, outside: { runScript, paint: (svg) => Promise.resolve(svg) } });
};

const ask = (world: World, parameters: object, userId?: string) =>
  world.receive({ requestId: 'x', operation: 'sheet-screenshot', parameters, userId });

const svgOf = async (world: World, parameters: object) => (await ask(world, parameters)).imageData;

test('a sheet shows its actor as it is now', async () => {
  const world = createDrawn();
  expect(await svgOf(world, { uuid: 'Actor.mira' })).toContain('27 / 27');
  world.perform({ kind: 'damage', actorUuid: 'Actor.mira', amount: 7 });
  expect(await svgOf(world, { uuid: 'Actor.mira' })).toContain('20 / 27');
});

test.each([
  [{ uuid: token('mira') }, 'Mira Thornwood'],
  [{ selected: true }, 'Mira Thornwood'],
  [{ uuid: 'JournalEntry.rumours' }, 'Fishermen hear it'],
  [{ uuid: 'Item.silver-key' }, 'It is always wet.'],
])('the sheet of %j says %s', async (parameters, words) => {
  expect(await svgOf(createDrawn(), parameters)).toContain(words);
});

test('a name is text, whatever it holds', async () => {
  const world = createDrawn();
  world.answer('update', { uuid: 'Actor.mira', data: { name: '<image href="x"/>&\u0000' } });
  const svg = await svgOf(world, { uuid: 'Actor.mira' });
  expect(svg).not.toContain('<image');
  expect(svg).toContain('&lt;image');
});

test.each([
  [1, [560, 720]],
  [0.5, [280, 360]],
  [4, [1593, 2048]],
])('a picture of %d times the size is no larger than what can be sent', async (scale, size) => {
  const { width, height } = await ask(createDrawn(), { uuid: 'Actor.mira', scale });
  expect([width, height]).toEqual(size);
});

test('the sheet of what a user may not see is refused', async () => {
  const world = createDrawn();
  expect(await ask(world, { uuid: 'Actor.mira' }, 'Ben')).toMatchObject({ success: true });
  for (const uuid of ['Actor.borin', 'JournalEntry.secrets'])
    await expect(ask(world, { uuid }, 'Ben')).rejects.toThrow(refusal('permission_denied'));
});
