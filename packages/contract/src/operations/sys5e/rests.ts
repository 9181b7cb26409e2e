import { Type } from 'typebox';
import { command } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { actorUuid, document, selected, selectedReasons } from '../parameters.ts';

const rester = { actorUuid: Type.Optional(actorUuid), selected: Type.Optional(selected) };

/** What a world answers where a hook of its rules system stopped the rest, so that nothing changed. */
const stopped = Type.Object(
  { completed: Type.Literal(true) },
  { description: 'The rules system stopped the rest: nothing changed.' },
);

const restResult = <const T extends 'short' | 'long'>(type: T) =>
  Type.Object({
    data: Type.Object({
      actorUuid: Type.String(),
      result: Type.Union([
        stopped,
        Type.Object({
          type: Type.Literal(type),
          deltas: Type.Object({
            hitPoints: Type.Optional(Type.Number()),
            hitDice: Type.Optional(Type.Number()),
          }),
          updateData: document('What changed on the actor, by flat document path, with its `_id`.'),
          updateItems: Type.Array(Type.Unknown()),
          newDay: Type.Boolean(),
          rolls: Type.Array(Type.Unknown(), { description: 'The hit dice that were rolled.' }),
          clone: document('The actor as it was before the rest.'),
          dhd: Type.Optional(Type.Number({ description: 'Change in hit dice.' })),
          dhp: Type.Optional(Type.Number({ description: 'Change in hit points.' })),
          longRest: Type.Optional(Type.Boolean()),
        }),
      ]),
    }),
  });

const reasons = ['entity_not_found', 'permission_denied', ...selectedReasons, 'actor_dead'] as const;

export const rests = {
  'short-rest': command({
    summary: 'Take a short rest',
    description:
      'Recovers hit points from hit dice, and the features that a short rest resets. Where the rules allow no rest, `result` is `{"completed": true}`.',
    scope: 'sys5e:write',
    effect: 'changes',
    timeoutMs: 20_000,
    parameters: {
      ...rester,
      autoHD: Type.Optional(Type.Boolean({ description: 'Spend hit dice automatically.' })),
      autoHDThreshold: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'Fraction of maximum hit points below which hit dice are spent.',
        }),
      ),
    },
    identifiedBy: [['actorUuid', 'selected']],
    result: restResult('short'),
    reasons,
    example: {
      parameters: { actorUuid: 'Actor.sable', autoHD: true, autoHDThreshold: 0.5 },
      result: {
        data: {
          actorUuid: 'Actor.sable',
          result: {
            type: 'short',
            deltas: { hitPoints: 7, hitDice: -1 },
            updateData: {
              _id: 'sable',
              'system.attributes.hp.value': 24,
              'system.attributes.hd.value': 3,
            },
            updateItems: [],
            newDay: false,
            rolls: [{ formula: '1d8 + 2', result: '5 + 2', total: 7 }],
            clone: { _id: 'sable', name: 'Sable Quickfoot' },
            dhd: -1,
            dhp: 7,
            longRest: false,
          },
        },
      },
    },
  }),
  'long-rest': command({
    summary: 'Take a long rest',
    description:
      'Recovers all hit points, spell slots, hit dice and features. Where the rules allow no rest, `result` is `{"completed": true}`.',
    scope: 'sys5e:write',
    effect: 'changes',
    timeoutMs: 20_000,
    parameters: {
      ...rester,
      newDay: Type.Optional(
        Type.Boolean({ default: true, description: 'Whether the rest marks a new day.' }),
      ),
    },
    identifiedBy: [['actorUuid', 'selected']],
    result: restResult('long'),
    reasons,
    example: {
      parameters: { actorUuid: 'Actor.sable' },
      result: {
        data: {
          actorUuid: 'Actor.sable',
          result: {
            type: 'long',
            deltas: { hitPoints: 21, hitDice: 1 },
            updateData: {
              _id: 'sable',
              'system.attributes.hp.value': 38,
              'system.attributes.hd.value': 5,
            },
            updateItems: [],
            newDay: true,
            rolls: [],
            clone: { _id: 'sable', name: 'Sable Quickfoot' },
            dhd: 1,
            dhp: 21,
            longRest: true,
          },
        },
      },
    },
  }),
} as const satisfies OperationDefinitions;
