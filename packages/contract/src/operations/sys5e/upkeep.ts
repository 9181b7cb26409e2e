import { Type } from 'typebox';
import { command, onWire } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { name, uuid } from '../parameters.ts';

const reasons = ['entity_not_found', 'permission_denied'] as const;

export const upkeep = {
  'modify-currency': command({
    summary: 'Add or take coins of an actor',
    description:
      'A balance never falls below 0, and `delta` repeats `amount` even then. Today’s modules do not check whether the user owns the actor.',
    scope: 'sys5e:write',
    userUnchecked: true,
    effect: 'changes',
    parameters: {
      actorUuid: onWire('uuid', uuid('Actor UUID, for example `Actor.mira`.')),
      currency: Type.Union(
        [Type.Literal('pp'), Type.Literal('gp'), Type.Literal('ep'), Type.Literal('sp'), Type.Literal('cp')],
        { description: 'The kind of coin.' },
      ),
      amount: Type.Number({ description: 'Coins to add; negative to take.' }),
    },
    result: Type.Object({
      data: Type.Object({
        currency: Type.String(),
        previous: Type.Number(),
        current: Type.Number(),
        delta: Type.Number(),
      }),
    }),
    reasons: [...reasons, 'invalid_data'],
    example: {
      parameters: { actorUuid: 'Actor.mira', currency: 'gp', amount: 8 },
      result: { data: { currency: 'gp', previous: 42, current: 50, delta: 8 } },
    },
  }),
  'prepare-spell': command({
    summary: 'Prepare a spell, or end that',
    description:
      'Today’s modules write the field of the system’s versions up to 4 (`system.preparation.prepared`), so with a later one the spell stays as it was though the answer says otherwise. They do not check whether the user owns the actor.',
    scope: 'sys5e:write',
    userUnchecked: true,
    effect: 'changes',
    parameters: {
      actorUuid: onWire('uuid', uuid('Actor UUID, for example `Actor.mira`.')),
      spellName: onWire('name', name('Spell name, as it stands on the actor.')),
      prepared: Type.Boolean({ description: 'True to prepare it.' }),
    },
    result: Type.Object({
      data: Type.Object({
        spellName: Type.String(),
        prepared: Type.Boolean(),
        uuid: Type.String({ description: 'UUID of the actor or of the spell, by the module.' }),
      }),
    }),
    reasons,
    example: {
      parameters: { actorUuid: 'Actor.mira', spellName: 'Fireball', prepared: false },
      result: {
        data: { spellName: 'Fireball', prepared: false, uuid: 'Actor.mira.Item.fireball' },
      },
    },
  }),
} as const satisfies OperationDefinitions;
