import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { actorName, actorUuid, rollOptions, rollResult, selected, selectedReasons } from '../parameters.ts';

const actor = { actorUuid: Type.Optional(actorUuid), actorName: Type.Optional(actorName) };

const reasons = ['entity_not_found', 'permission_denied'] as const;

const unselected = 'Today’s modules do not read `selected`: without an actor’s UUID or name they refuse';

const effect = Type.Object({
  id: Type.String(),
  uuid: Type.String(),
  name: Type.String(),
  icon: Type.String(),
  statuses: Type.Array(Type.String()),
  origin: Type.Union([Type.String(), Type.Null()], { description: 'UUID of what caused it.' }),
});

export const concentration = {
  'get-concentration': query({
    summary: 'Tell whether an actor concentrates, and on what',
    description: `${unselected}.`,
    scope: 'sys5e:read',
    path: '/sys5e/concentration',
    parameters: { ...actor, selected: Type.Optional(selected) },
    identifiedBy: [['actorUuid', 'actorName', 'selected']],
    result: Type.Object({
      data: Type.Object({
        actorUuid: Type.String(),
        isConcentrating: Type.Boolean(),
        effect: Type.Union([effect, Type.Null()]),
        spell: Type.Union([Type.String(), Type.Null()], { description: 'Name of the spell.' }),
      }),
    }),
    reasons: [...reasons, ...selectedReasons],
    example: {
      parameters: { actorUuid: 'Actor.borin' },
      result: {
        data: {
          actorUuid: 'Actor.borin',
          isConcentrating: true,
          effect: {
            id: 'bless',
            uuid: 'Actor.borin.ActiveEffect.bless',
            name: 'Concentrating: Bless',
            icon: 'icons/concentrating.svg',
            statuses: ['concentrating'],
            origin: 'Actor.borin.Item.bless',
          },
          spell: 'Bless',
        },
      },
    },
  }),
  'break-concentration': command({
    summary: 'End an actor’s concentration',
    description: `${unselected}. They also refuse an actor that does not concentrate, and never answer \`broken: false\`.`,
    scope: 'sys5e:write',
    effect: 'changes',
    parameters: { ...actor, selected: Type.Optional(selected) },
    identifiedBy: [['actorUuid', 'actorName', 'selected']],
    result: Type.Object({
      data: Type.Object({
        actorUuid: Type.String(),
        broken: Type.Boolean({ description: 'False when the actor did not concentrate.' }),
        removedEffectId: Type.Optional(Type.String({ description: 'Absent when nothing was removed.' })),
      }),
    }),
    reasons: [...reasons, ...selectedReasons],
    example: {
      parameters: { actorName: 'Borin Ironhand' },
      result: { data: { actorUuid: 'Actor.borin', broken: true, removedEffectId: 'bless' } },
    },
  }),
  'concentration-save': command({
    summary: 'Roll to keep concentration after damage',
    description:
      'A constitution save against the higher of 10 and half the damage, rounded down. A failed one ends the concentration. Today’s modules refuse an actor that does not concentrate.',
    scope: 'roll:execute',
    effect: 'changes',
    parameters: {
      ...actor,
      damage: Type.Number({ minimum: 0, description: 'Damage taken.' }),
      ...rollOptions,
    },
    identifiedBy: [['actorUuid', 'actorName']],
    result: Type.Object({
      data: Type.Object({
        actorUuid: Type.String(),
        dc: Type.Number(),
        ...rollResult,
        isConcentrating: Type.Optional(
          Type.Boolean({
            description: 'Whether there was something to keep. False: only the save was rolled.',
          }),
        ),
        maintained: Type.Boolean({ description: 'Whether concentration is kept.' }),
      }),
    }),
    reasons: [...reasons, 'invalid_formula'],
    example: {
      parameters: { actorUuid: 'Actor.borin', damage: 26 },
      result: {
        data: {
          actorUuid: 'Actor.borin',
          dc: 13,
          total: 15,
          formula: '1d20 + 2',
          result: '13 + 2',
          isConcentrating: true,
          maintained: true,
        },
      },
    },
  }),
} as const satisfies OperationDefinitions;
