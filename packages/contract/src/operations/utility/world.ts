import { Type } from 'typebox';
import { query } from '../operation-definition.ts';
import type { Fields, OperationDefinitions } from '../operation-definition.ts';
import type { WorldMetadata } from '../../world.ts';
import { userRecord } from '../parameters.ts';

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

/** Today's modules answer `foundryVersion`, but callers were promised `tabletopVersion`. */
function withTabletopVersion(result: Fields, { tabletopVersion }: WorldMetadata): Fields {
  const { data } = result;
  if (typeof data !== 'object' || data === null || Array.isArray(data) || 'tabletopVersion' in data)
    return result;
  return { ...result, data: { ...data, tabletopVersion } };
}

export const world = {
  players: query({
    summary: 'List the users of the world',
    description:
      'Their ids and names are what `userId` takes. Today’s modules answer an empty list where `userId` is no game master.',
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
        foundryVersion: Type.Optional(
          Type.String({ description: 'The same, by the name that today’s modules give it.' }),
        ),
        modules: Type.Array(Type.Object({ ...titled, version: Type.String(), active: Type.Boolean() })),
        users: Type.Array(userRecord),
        activeScene: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
          description: 'Null while no scene is active.',
        }),
      }),
    }),
    reasons: ['permission_denied'],
    adaptResult: withTabletopVersion,
    example: {
      parameters: {},
      result: {
        data: {
          world: { id: 'sunken-chapel', title: 'The Sunken Chapel' },
          system: { id: 'dnd5e', title: 'Fifth Edition', version: '5.1.0' },
          tabletopVersion: '13.348',
          modules: [{ id: 'tabletop-relay', title: 'Tabletop Relay', version: '0.1.0', active: true }],
          users: [gameMaster],
          activeScene: { id: 'chapel', name: 'The Sunken Chapel' },
        },
      },
    },
  }),
} as const satisfies OperationDefinitions;
