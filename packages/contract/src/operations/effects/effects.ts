import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationGroup } from '../operation-definition.ts';
import { nullable, uuid } from '../parameters.ts';
import { scopesForScripts } from '../scripts.ts';

const holder = uuid('UUID of an actor or a token, for example `Actor.mira`.');

const id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }));

const icon = Type.Optional(nullable(Type.String({ description: 'Path of an image.' })));

const effect = { id: Type.String(), uuid: Type.String(), name: Type.String(), icon };

const reasons = ['entity_not_found', 'permission_denied'] as const;

export const effects = {
  name: 'effects',
  title: 'Effects and conditions',
  prefix: '/effects',
  definitions: {
    'get-status-effects': query({
      summary: 'List the conditions that the world knows',
      description: 'Today’s modules ignore `userId` here.',
      path: '/effects/list',
      scope: 'effects:read',
      parameters: {},
      result: Type.Object({
        data: Type.Object({
          effects: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), icon })),
        }),
      }),
      example: {
        parameters: {},
        result: {
          data: { effects: [{ id: 'prone', name: 'Prone', icon: 'icons/conditions/prone.svg' }] },
        },
      },
    }),
    'get-effects': query({
      summary: 'List the effects on an actor or a token',
      path: '/effects',
      scope: 'effects:read',
      parameters: { uuid: holder },
      result: Type.Object({
        data: Type.Object({
          uuid: Type.String(),
          effects: Type.Array(
            Type.Object({
              ...effect,
              disabled: Type.Boolean(),
              duration: Type.Optional(
                nullable(Type.Unknown({ description: 'How long, as the system has it.' })),
              ),
              statuses: Type.Array(Type.String()),
              changes: Type.Array(Type.Unknown({ description: 'A change of the actor’s values.' })),
              origin: Type.Optional(nullable(Type.String({ description: 'UUID of what it comes from.' }))),
            }),
          ),
        }),
      }),
      reasons,
      example: {
        parameters: { uuid: 'Actor.sable' },
        result: { data: { uuid: 'Actor.sable', effects: [] } },
      },
    }),
    'add-effect': command({
      summary: 'Put a condition or an effect on an actor',
      description:
        'A condition that is there already is refused. An effect with a macro or a script in its fields also needs `script:execute`.',
      path: '/effects',
      scope: 'effects:write',
      effect: 'adds',
      scopesFor: ({ effectData }) => scopesForScripts(effectData),
      parameters: {
        uuid: holder,
        statusId: id('Id of a condition, for example `prone`.'),
        effectData: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            place: 'body',
            description: 'The fields of an effect of one’s own, for example `{"name": "Blessed"}`.',
          }),
        ),
      },
      identifiedBy: [['statusId', 'effectData']],
      result: Type.Object({
        data: Type.Object({
          uuid: Type.String(),
          effect: Type.Optional(
            nullable(
              Type.Object(
                { ...effect, statuses: Type.Optional(Type.Array(Type.String())) },
                {
                  description: 'Null where the world does not tell which effect it became.',
                },
              ),
            ),
          ),
        }),
      }),
      reasons: [...reasons, 'already_exists', 'unknown_status', 'immune', 'invalid_data', 'world_full'],
      example: {
        parameters: { uuid: 'Actor.sable', statusId: 'prone' },
        result: {
          data: {
            uuid: 'Actor.sable',
            effect: {
              id: 'prone',
              uuid: 'Actor.sable.ActiveEffect.prone',
              name: 'Prone',
              icon: 'icons/conditions/prone.svg',
              statuses: ['prone'],
            },
          },
        },
      },
    }),
    'remove-effect': command({
      summary: 'Take a condition or an effect from an actor',
      method: 'DELETE',
      path: '/effects',
      scope: 'effects:write',
      effect: 'changes',
      parameters: {
        uuid: holder,
        effectId: id('Id of the effect.'),
        statusId: id('Id of a condition, for example `prone`.'),
      },
      identifiedBy: [['effectId', 'statusId']],
      result: Type.Object({
        data: Type.Object({
          uuid: Type.String(),
          removedEffectId: Type.Optional(nullable(Type.String())),
        }),
      }),
      reasons: [...reasons, 'not_supported'],
      example: {
        parameters: { uuid: 'Actor.theron', statusId: 'unconscious' },
        result: { data: { uuid: 'Actor.theron', removedEffectId: 'unconscious' } },
      },
    }),
  },
} as const satisfies OperationGroup;
