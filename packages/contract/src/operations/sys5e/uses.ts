import { Type } from 'typebox';
import { command } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { actorUuid, name, uuid } from '../parameters.ts';

const dice = Type.Array(
  Type.Object({
    faces: Type.Integer(),
    results: Type.Array(
      Type.Object({
        result: Type.Number(),
        active: Type.Boolean({ description: 'Whether it counts: of two dice with advantage one does.' }),
      }),
    ),
  }),
);

const attackRoll = Type.Object(
  {
    total: Type.Number(),
    formula: Type.String(),
    isCritical: Type.Boolean(),
    isFumble: Type.Boolean(),
    dice,
  },
  { description: 'The roll to hit, where there is one.' },
);

const damageRoll = Type.Object({
  total: Type.Number(),
  formula: Type.String(),
  type: Type.String({ description: 'The kind of damage.' }),
  isCritical: Type.Boolean(),
  dice: Type.Array(Type.Unknown()),
});

/** The four operations that use something differ in what it is called, and spells in their slot. */
const parametersOf = (what: string) => ({
  actorUuid,
  abilityUuid: Type.Optional(uuid(`UUID of ${what} to use.`)),
  abilityName: Type.Optional(name(`Name of ${what} to use, as it stands on the actor.`)),
  targetUuid: Type.Optional(uuid('UUID of the actor or token to target.')),
  targetName: Type.Optional(name('Name of the actor or token to target.')),
});

const aboutUses =
  'Today’s modules use the first activity that it has. They answer `roll` from Foundry 13 on, where the activity is an attack, and `damageRolls` where the module Midi-QOL is active.';

const commonOf = (what: string) =>
  ({
    summary: `Use ${what}`,
    description: aboutUses,
    scope: 'sys5e:write',
    effect: 'changes',
    timeoutMs: 20_000,
    identifiedBy: [['abilityUuid', 'abilityName']],
    prefers: [['targetUuid', 'targetName']],
    result: Type.Object({
      data: Type.Object({
        uuid: Type.String({ description: 'UUID of the actor.' }),
        ability: Type.String({ description: 'Name of what was used.' }),
        result: Type.Optional(
          Type.Union([Type.String(), Type.Null()], {
            description:
              'Id of what it brought about, for example a chat message. Today’s modules leave it out.',
          }),
        ),
        roll: Type.Optional(attackRoll),
        damageRolls: Type.Optional(
          Type.Array(damageRoll, { description: 'Where the world knows the damage at once.' }),
        ),
      }),
    }),
    reasons: [
      'entity_not_found',
      'permission_denied',
      'no_uses_left',
      'not_prepared',
      'incapacitated',
      'invalid_target',
    ],
  }) as const;

const exampleOf = (parameters: { actorUuid: string; abilityName: string; targetName?: string }) => ({
  parameters,
  result: { data: { uuid: parameters.actorUuid, ability: parameters.abilityName, result: 'message-12' } },
});

const use = (what: string, example: Parameters<typeof exampleOf>[0]) =>
  command({ ...commonOf(what), parameters: parametersOf(what), example: exampleOf(example) });

export const uses = {
  'use-ability': use('an ability', {
    actorUuid: 'Actor.borin',
    abilityName: 'Channel Divinity: Preserve Life',
    targetName: 'Theron Vale',
  }),
  'use-feature': use('a feature', { actorUuid: 'Actor.sable', abilityName: 'Cunning Action' }),
  'use-spell': command({
    ...commonOf('a spell'),
    description: `${aboutUses} They do not read \`level\`: a spell is cast at its own.`,
    parameters: {
      ...parametersOf('a spell'),
      level: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 9,
          description: 'Level of the slot to cast it with; the lowest that will do when left out.',
        }),
      ),
    },
    example: exampleOf({ actorUuid: 'Actor.mira', abilityName: 'Fire Bolt', targetName: 'Ghoul' }),
  }),
  'use-item': use('an item', { actorUuid: 'Actor.borin', abilityName: 'Potion of Healing' }),
} as const satisfies OperationDefinitions;
