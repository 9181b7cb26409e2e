import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationGroup } from '../operation-definition.ts';
import { nullable, userRecord } from '../parameters.ts';
import { scopesForScripts } from '../scripts.ts';

const user = Type.Object({
  ...userRecord.properties,
  character: nullable(Type.String({ description: 'Id or UUID of the actor that the user plays.' })),
});

const id = Type.String({ minLength: 1, maxLength: 256, description: 'Id of the user.' });

const userName = Type.String({ minLength: 1, maxLength: 256, description: 'Name of the user.' });

const named = { id: Type.Optional(id), name: Type.Optional(userName) };

const identifiedBy = [['id', 'name']] as const;

/** A world may answer more of a user than is declared, such as the hash of the password. */
const unloggedResult = ['data'];

const reasons = ['entity_not_found', 'permission_denied'] as const;

const ben = {
  id: 'ben',
  name: 'Ben',
  role: 1,
  isGM: false,
  active: true,
  color: '#4f7cac',
  avatar: 'avatars/ben.svg',
  character: null,
};

const role = Type.Integer({
  minimum: 0,
  maximum: 4,
  description: '0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM.',
});

export const users = {
  name: 'users',
  title: 'Users',
  prefix: '',
  definitions: {
    'get-users': query({
      summary: 'List the users with their characters',
      path: '/users',
      scope: 'user:read',
      parameters: {},
      result: Type.Object({ data: Type.Array(user) }),
      unloggedResult,
      reasons: ['permission_denied'],
      example: { parameters: {}, result: { data: [ben] } },
    }),
    'get-user': query({
      summary: 'Read a user',
      path: '/user',
      scope: 'user:read',
      parameters: named,
      identifiedBy,
      result: Type.Object({ data: user }),
      unloggedResult,
      reasons,
      example: { parameters: { id: 'ben' }, result: { data: ben } },
    }),
    'create-user': command({
      summary: 'Add a user',
      description: 'The role may be that of a game master.',
      path: '/user',
      scope: 'user:write',
      effect: 'adds',
      lessIsMore: true,
      parameters: {
        name: userName,
        role: Type.Optional({ ...role, default: 1 }),
        password: Type.Optional(
          Type.String({
            maxLength: 256,
            place: 'body',
            unlogged: 'secret',
            description: 'For the world’s log-in page; none where it is left out.',
          }),
        ),
        character: Type.Optional(
          Type.String({ minLength: 1, maxLength: 1024, description: 'Id or UUID of an actor.' }),
        ),
      },
      result: Type.Object({ data: user }),
      unloggedResult,
      reasons: [...reasons, 'already_exists', 'world_full'],
      example: {
        parameters: { name: 'Eve' },
        result: {
          data: {
            id: 'aBcDeFgHiJkLmNoP',
            name: 'Eve',
            role: 1,
            isGM: false,
            active: false,
            color: '#8a8a8a',
            avatar: 'avatars/user.svg',
            character: null,
          },
        },
      },
    }),
    'update-user': command({
      summary: 'Change a user',
      description:
        'The last game master cannot be made less. Data with a macro or a script anywhere in it also needs `script:execute`.',
      method: 'PUT',
      path: '/user',
      scope: 'user:write',
      effect: 'changes',
      scopesFor: ({ data }) => scopesForScripts(data),
      parameters: {
        ...named,
        data: Type.Record(Type.String(), Type.Unknown(), {
          place: 'body',
          unlogged: 'secret',
          description: 'The fields to change, for example `{"role": 2}`.',
        }),
      },
      identifiedBy,
      result: Type.Object({ data: user }),
      unloggedResult,
      reasons: [...reasons, 'already_exists', 'last_game_master', 'invalid_data', 'world_full'],
      example: {
        parameters: { id: 'ben', data: { role: 2 } },
        result: { data: { ...ben, role: 2 } },
      },
    }),
    'delete-user': command({
      summary: 'Remove a user',
      description: 'Neither the last game master nor the user of the connected browser can be removed.',
      method: 'DELETE',
      path: '/user',
      scope: 'user:write',
      effect: 'destroys',
      parameters: named,
      identifiedBy,
      result: Type.Object({ success: Type.Boolean() }),
      reasons: [...reasons, 'last_game_master', 'not_supported'],
      example: { parameters: { id: 'dev' }, result: { success: true } },
    }),
  },
} as const satisfies OperationGroup;
