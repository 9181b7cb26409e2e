import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { nullable, uuid } from '../parameters.ts';

export const selection = {
  select: command({
    summary: 'Select tokens on the canvas',
    description:
      'Tokens of the active scene that match any of what is given are selected; an empty `uuids` with `overwrite` selects none. Today’s modules refuse where none matches, and any `data` under Foundry 14. They answer those that matched, without what was selected before.',
    scope: 'canvas:control',
    effect: 'changes',
    lessIsMore: true,
    parameters: {
      uuids: Type.Optional(
        Type.Array(uuid('Token UUID.'), {
          place: 'body',
          byCommas: true,
          description: 'Tokens to select, by UUID.',
        }),
      ),
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 256,
          place: 'body',
          description: 'Select the tokens of this name.',
        }),
      ),
      data: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          minProperties: 1,
          place: 'body',
          description:
            'Select the tokens whose data has these values, by dotted path, for example `{"actor.type": "npc"}`.',
        }),
      ),
      overwrite: Type.Optional(
        Type.Boolean({
          place: 'body',
          description: 'Replace the existing selection instead of adding to it.',
        }),
      ),
      all: Type.Optional(Type.Boolean({ place: 'body', description: 'Select all tokens on the canvas.' })),
    },
    needsOneOf: ['uuids', 'name', 'data', 'all'],
    clearsBy: { list: 'uuids', flag: 'overwrite' },
    result: Type.Object({
      success: Type.Boolean(),
      count: Type.Integer({ description: 'How many tokens are selected.' }),
      message: Type.String(),
      selected: Type.Array(Type.String(), { description: 'Token UUIDs.' }),
    }),
    reasons: ['entity_not_found', 'permission_denied'],
    example: {
      parameters: { uuids: ['Scene.chapel.Token.mira'], overwrite: true },
      result: {
        success: true,
        count: 1,
        message: '1 token selected',
        selected: ['Scene.chapel.Token.mira'],
      },
    },
  }),
  selected: query({
    summary: 'List the selected tokens',
    description: 'Today’s modules refuse while no scene is active.',
    scope: 'entity:read',
    parameters: {},
    result: Type.Object({
      success: Type.Boolean(),
      selected: Type.Array(
        Type.Object({
          tokenUuid: Type.String(),
          actorUuid: nullable(Type.String(), 'Null where the token has no actor.'),
        }),
      ),
    }),
    reasons: ['permission_denied'],
    example: {
      parameters: {},
      result: {
        success: true,
        selected: [{ tokenUuid: 'Scene.chapel.Token.mira', actorUuid: 'Actor.mira' }],
      },
    },
  }),
} as const satisfies OperationDefinitions;
