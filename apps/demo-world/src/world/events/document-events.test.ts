import { expect, test } from 'vitest';
import { createWorld } from '../world.ts';
import { stepEvents } from './step-events.ts';

test('an effect that is put on an actor as a document is told', () => {
  const found = createWorld().state();
  const uuid = 'Actor.mira.ActiveEffect.one';
  const effect = { kind: 'ActiveEffect', parent: 'Actor.mira', data: { name: 'Blessed' } };
  const blessed = { ...found, documents: { ...found.documents, [uuid]: effect } };
  expect(stepEvents.actor(found, blessed)).toMatchObject([
    { eventType: 'effect-add', actorUuid: 'Actor.mira', effect: { _id: 'one', name: 'Blessed' } },
  ]);
  expect(stepEvents.actor(blessed, found)).toMatchObject([
    { eventType: 'effect-remove', actorUuid: 'Actor.mira', effectId: 'one', effectName: 'Blessed' },
  ]);
});
