import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { name, uuid } from '../parameters.ts';

const sceneId = Type.Optional(
  Type.String({ minLength: 1, maxLength: 256, description: 'Id of the scene; without it the active one.' }),
);

const coordinate = (description: string) => Type.Number({ description });

const point = Type.Object({ x: Type.Number(), y: Type.Number() });

const reasons = ['entity_not_found', 'permission_denied', 'out_of_bounds'] as const;

export const tokens = {
  'move-token': command({
    summary: 'Move a token',
    description:
      'Coordinates are the scene’s own: mostly pixels from its top left, in the demo world squares. A user must be a game master. Animated, today’s modules take 0.3 s for each waypoint and the call waits 10 s: send at most 30, or `animate` as false.',
    path: '/move-token',
    scope: 'canvas:write',
    effect: 'changes',
    lessIsMore: true,
    parameters: {
      uuid: Type.Optional(
        uuid(
          'UUID of the token, for example `Scene.chapel.Token.mira`, or of an actor for its first token on the scene.',
        ),
      ),
      name: Type.Optional(name('Name of a token on the scene.')),
      x: coordinate('Where to, from the left.'),
      y: coordinate('Where to, from the top.'),
      waypoints: Type.Optional(
        Type.Array(point, {
          maxItems: 100,
          place: 'body',
          description: 'Points on the way, before the last.',
        }),
      ),
      animate: Type.Optional(Type.Boolean({ description: 'Let it glide.' })),
      sceneId,
    },
    identifiedBy: [['uuid', 'name']],
    result: Type.Object({
      data: Type.Object({
        tokenUuid: Type.String(),
        name: Type.String(),
        x: Type.Number(),
        y: Type.Number(),
        sceneId: Type.String(),
      }),
    }),
    reasons,
    example: {
      parameters: { uuid: 'Scene.chapel.Token.mira', x: 6, y: 7 },
      result: {
        data: {
          tokenUuid: 'Scene.chapel.Token.mira',
          name: 'Mira Thornwood',
          x: 6,
          y: 7,
          sceneId: 'chapel',
        },
      },
    },
  }),
  'measure-distance': query({
    summary: 'Measure the distance between two places',
    description:
      'A place is a token, by UUID or name, or a point by its coordinates, which are the scene’s own. Coordinates count before a token.',
    path: '/measure-distance',
    scope: 'canvas:read',
    userUnchecked: true,
    parameters: {
      originX: Type.Optional(coordinate('From where, from the left.')),
      originY: Type.Optional(coordinate('From where, from the top.')),
      originUuid: Type.Optional(uuid('UUID of the token to measure from.')),
      originName: Type.Optional(name('Name of the token to measure from.')),
      targetX: Type.Optional(coordinate('To where, from the left.')),
      targetY: Type.Optional(coordinate('To where, from the top.')),
      targetUuid: Type.Optional(uuid('UUID of the token to measure to.')),
      targetName: Type.Optional(name('Name of the token to measure to.')),
      sceneId,
    },
    identifiedBy: [
      [['originX', 'originY'], 'originUuid', 'originName'],
      [['targetX', 'targetY'], 'targetUuid', 'targetName'],
    ],
    result: Type.Object({
      data: Type.Object({
        distance: Type.Number({ description: 'By the scene’s rule for diagonals.' }),
        units: Type.String({ description: 'For example `ft`.' }),
        origin: point,
        target: point,
        sceneId: Type.String(),
      }),
    }),
    reasons,
    example: {
      parameters: { originUuid: 'Scene.chapel.Token.mira', targetName: 'Ghoul' },
      result: {
        data: {
          distance: 45,
          units: 'ft',
          origin: { x: 5.5, y: 6.5 },
          target: { x: 14.5, y: 8.5 },
          sceneId: 'chapel',
        },
      },
    },
  }),
} as const satisfies OperationDefinitions;
