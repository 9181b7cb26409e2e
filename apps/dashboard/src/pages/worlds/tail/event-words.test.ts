import { createWorld, stepEvents } from '@tabletop-relay/demo-world';
import type { World } from '@tabletop-relay/demo-world';
import { expect, test } from 'vitest';
import { eventWords } from './event-words.ts';

/** The sentences of what a world tells of `run`, by channel. */
function saidOf(run: (world: World) => void) {
  const world = createWorld({ seed: 1, now: () => 1 });
  const said: Record<'combat' | 'chat' | 'rolls' | 'hooks', (string | undefined)[]> = {
    combat: [],
    chat: [],
    rolls: [],
    hooks: [],
  };
  world.subscribe(({ before, state }) => {
    for (const event of stepEvents.combat(before, state))
      said.combat.push(eventWords(`combat-${event.eventType}`, event));
    for (const event of stepEvents.chat(before, state))
      said.chat.push(eventWords(`chat-${event.eventType}`, event));
    for (const event of stepEvents.rolls(before, state)) said.rolls.push(eventWords('roll', event));
    for (const event of stepEvents.hooks(before, state)) said.hooks.push(eventWords(event.hook, event));
  });
  run(world);
  return said;
}

test('a turn, a roll and a change are told as somebody at the table would', () => {
  const said = saidOf((world) => {
    world.answer('next-turn', {});
    world.perform({ kind: 'roll', formula: '2d6 + 3', actorUuid: 'Actor.mira' });
    world.perform({ kind: 'damage', actorUuid: 'Actor.sable', amount: 4 });
    world.perform({ kind: 'say', text: 'Behind the altar!' });
  });
  expect(said.combat).toContainEqual(expect.stringMatching(/^Round 1, \w+.*’s turn\.$/));
  expect(said.chat).toContainEqual(expect.stringMatching(/^Mira Thornwood: .* \d+, 2d6 \+ 3\.$/));
  expect(said.chat).toContainEqual(expect.stringContaining('Behind the altar!'));
  expect(said.rolls).toContainEqual(expect.stringMatching(/^Mira Thornwood: .* \d+, 2d6 \+ 3\.$/));
  expect(said.hooks).toContain('Actor Sable Quickfoot was changed.');
});

test.each([
  ['connected', {}, 'Following.'],
  ['combat-end', { eventType: 'end' }, 'The fight ends.'],
  [
    'chat-create',
    { eventType: 'create', data: { content: '<b>Hush</b> now', speaker: { alias: 'Ada' }, whisper: ['x'] } },
    'Ada, whispering: Hush now',
  ],
  ['chat-delete', { eventType: 'delete' }, 'A message was deleted.'],
  ['canvasReady', { args: [{ name: 'Hall' }] }, undefined],
  ['roll', {}, undefined],
  ['roll', null, undefined],
  ['updateActor', { args: [null] }, 'Actor was changed.'],
])('%s %j reads %s', (event, data, words) => {
  expect(eventWords(event, data)).toBe(words);
});
