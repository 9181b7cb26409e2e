import { channelNames } from '@tabletop-relay/contract';
import type { Channel } from '@tabletop-relay/contract';
import { beforeAll, expect, test } from 'vitest';
import { loadNotation } from '../rules/rolls/notation.ts';
import { token } from '../../../test/look-up.ts';
import { createWorld } from '../world.ts';
import type { World } from '../world.ts';
import { stepEvents } from './step-events.ts';
import { visibleTo } from './visible-to.ts';

beforeAll(loadNotation);

/** Who may see what each channel tells of what `run` does to a world. */
function seenOf(run: (world: World) => void): Partial<Record<Channel, string[][]>> {
  const world = createWorld({ seed: 1, now: () => 1 });
  const seen: Partial<Record<Channel, string[][]>> = {};
  world.subscribe(({ before, state }) => {
    for (const channel of channelNames)
      for (const event of stepEvents[channel](before, state))
        (seen[channel] ??= []).push(visibleTo(channel, event, before, state));
  });
  run(world);
  return seen;
}

const everyone = ['ada', 'ben', 'cleo', 'dev'];
const each = (users: string[], counts: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(counts).map(([channel, count]) => [channel, Array.from({ length: count }, () => users)]),
  );

test('what is public is for all, and what is whispered for those who are named and who wrote it', () => {
  expect(seenOf((world) => world.answer('chat-send', { content: 'Behind the altar!' }))).toEqual(
    each(everyone, { hooks: 1, chat: 1 }),
  );
  const whisper = { content: 'Run.', whisper: ['Cleo'] };
  expect(seenOf((world) => world.answer('chat-send', whisper, { userId: 'Ben' }))).toEqual(
    each(['ada', 'ben', 'cleo'], { hooks: 1, chat: 1 }),
  );
  const roll = { formula: '1d20', whisper: ['Ada'] };
  expect(seenOf((world) => world.answer('roll', roll, { userId: 'Dev' }))).toEqual(
    each(['ada', 'dev'], { hooks: 1, chat: 1, rolls: 1 }),
  );
});

test('an actor is for its players, and one of the game master’s for nobody else', () => {
  expect(
    seenOf((world) => world.answer('modify-experience', { actorUuid: 'Actor.mira', amount: 5 })),
  ).toEqual(each(['ada', 'ben'], { hooks: 1, actor: 1 }));
  const ofGhoul = seenOf((world) =>
    world.answer('decrease', { uuid: 'Actor.ghoul', attribute: 'system.attributes.hp.value', amount: 1 }),
  );
  expect([...new Set(Object.values(ofGhoul).flat(2))]).toEqual(['ada']);
});

test('a token is for all who see its scene, a hidden one and one that is being hidden for nobody', () => {
  expect(seenOf((world) => world.answer('move-token', { name: 'Mira Thornwood', x: 1, y: 1 })).scene).toEqual(
    [everyone],
  );
  const hide = { uuid: token('mira'), data: { hidden: true } };
  expect(seenOf((world) => world.answer('update', hide)).scene).toEqual([['ada']]);
  const lurker = { uuid: token('lurker'), data: { x: 1 } };
  expect(Object.values(seenOf((world) => world.answer('update', lurker))).flat(2)).toEqual(['ada', 'ada']);
});

test('a fight is for all, unless somebody is hidden in it', () => {
  expect(seenOf((world) => world.answer('next-turn', {})).combat).toEqual([everyone]);
  const ambush = seenOf((world) => {
    world.answer('add-to-encounter', { uuids: [token('lurker')] });
    world.answer('next-turn', {});
  });
  expect(ambush.combat).toEqual([['ada'], ['ada']]);
});

test('what the game master selects is theirs', () => {
  const seen = seenOf((world) => world.answer('select', { name: 'Cultist', overwrite: true }));
  expect(seen.hooks?.flat()).toEqual(['ada', 'ada']);
});
