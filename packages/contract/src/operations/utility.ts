import { Type } from 'typebox';
import { command, query } from '../operation.ts';
import type { OperationGroup } from '../operation.ts';
import { userRecord, uuid } from './parameters.ts';

const titled = { id: Type.String(), title: Type.String() };

const gameMaster = {
  id: 'ada',
  name: 'Ada',
  role: 4,
  isGM: true,
  active: true,
  color: '#c2703d',
  avatar: 'avatars/ada.svg',
};

export const utility = {
  name: 'utility',
  title: 'Selection, users and world',
  prefix: '',
  definitions: {
    select: command({
      summary: 'Select tokens on the canvas',
      description: 'Tokens that match any of what is given are selected.',
      scope: 'canvas:control',
      parameters: {
        uuids: Type.Optional(
          Type.Array(uuid('Token UUID.'), { place: 'body', description: 'Tokens to select, by UUID.' }),
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
      scope: 'entity:read',
      parameters: {},
      result: Type.Object({
        success: Type.Boolean(),
        selected: Type.Array(Type.Object({ tokenUuid: Type.String(), actorUuid: Type.String() })),
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
    players: query({
      summary: 'List the users of the world',
      description: 'Their ids and names are what `userId` takes.',
      scope: 'user:read',
      parameters: {},
      result: Type.Object({ users: Type.Array(userRecord) }),
      reasons: ['permission_denied'],
      example: { parameters: {}, result: { users: [gameMaster] } },
    }),
    'world-info': query({
      summary: 'Describe the world: system, versions, modules, users, scene',
      scope: 'world:read',
      parameters: {},
      result: Type.Object({
        data: Type.Object({
          world: Type.Object(titled),
          system: Type.Object({ ...titled, version: Type.String() }),
          tabletopVersion: Type.String({ description: 'Version of the tabletop application.' }),
          modules: Type.Array(Type.Object({ ...titled, version: Type.String(), active: Type.Boolean() })),
          users: Type.Array(userRecord),
          activeScene: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
            description: 'Null while no scene is active.',
          }),
        }),
      }),
      reasons: ['permission_denied'],
      example: {
        parameters: {},
        result: {
          data: {
            world: { id: 'sunken-chapel', title: 'The Sunken Chapel' },
            system: { id: 'sys5e', title: 'Fifth Edition', version: '5.1.0' },
            tabletopVersion: '13.348',
            modules: [{ id: 'tabletop-relay', title: 'Tabletop Relay', version: '0.1.0', active: true }],
            users: [gameMaster],
            activeScene: { id: 'chapel', name: 'The Sunken Chapel' },
          },
        },
      },
    }),
  },
} as const satisfies OperationGroup;
