import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { Fields, OperationDefinitions } from '../operation-definition.ts';
import { document, name } from '../parameters.ts';
import { scopesForScripts } from '../scripts.ts';

/** The ways in which an operation names one scene. */
const reference = {
  sceneId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Id of the scene, for example `chapel`.' }),
  ),
  name: Type.Optional(name('Name of the scene.')),
  active: Type.Optional(Type.Boolean({ description: 'Use the scene that is active for all players.' })),
  viewed: Type.Optional(Type.Boolean({ description: 'Use the scene that the game master’s browser shows.' })),
};

const identifiedBy = [['sceneId', 'name', 'active', 'viewed']] as const;

const data = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { place: 'body', description });

const timeoutMs = 30_000;

const reasons = ['entity_not_found', 'permission_denied'] as const;

const changeReasons = [...reasons, 'invalid_data', 'already_exists', 'world_full'] as const;

const aboutBehaviors =
  'A scene whose data embeds behaviours of regions also needs the scope `script:execute`, because a behaviour can run a script.';

const scopesFor = ({ data: given }: Fields) => scopesForScripts(given);

const crypt = { _id: 'crypt', name: 'The Crypt Below', active: false };

export const sceneDocuments = {
  'get-scene': query({
    summary: 'Read a scene, or all of them',
    description:
      'The answer holds whole scenes with all that lies on them. With `all` it grows with the world: it can have many megabytes, and one above 16 MiB fails; read one scene, or `/canvas/walls` and the like, to keep it small. A user who may only see that a scene is there gets its `uuid`, `name`, `type` and `img`.',
    path: '/scene',
    scope: 'scene:read',
    parameters: {
      ...reference,
      all: Type.Optional(Type.Boolean({ description: 'Read every scene; `data` is then a list.' })),
    },
    identifiedBy: [[...identifiedBy[0], 'all']],
    result: Type.Object({
      data: Type.Union([document('The scene.'), Type.Array(document('A scene.'))]),
    }),
    reasons,
    example: { parameters: { sceneId: 'crypt' }, result: { data: crypt } },
  }),
  'create-scene': command({
    summary: 'Create a scene',
    description: aboutBehaviors,
    path: '/scene',
    scope: 'scene:write',
    effect: 'adds',
    scopesFor,
    timeoutMs,
    parameters: {
      data: data('The scene’s fields, for example `{"name": "The tower", "width": 20, "height": 14}`.'),
    },
    result: Type.Object({ data: document('The scene as it is now.') }),
    reasons: changeReasons,
    example: {
      parameters: { data: { name: 'The bell tower', width: 12, height: 10 } },
      result: { data: { _id: 'aBcDeFgHiJkLmNoP', name: 'The bell tower', active: false } },
    },
  }),
  'update-scene': command({
    summary: 'Change a scene',
    description: `${aboutBehaviors} In Foundry 14 \`background\` and \`foreground\` go to the scene’s first level.`,
    method: 'PUT',
    path: '/scene',
    scope: 'scene:write',
    effect: 'changes',
    scopesFor,
    timeoutMs,
    parameters: {
      ...reference,
      data: data('The fields to change; nested, or by dotted path such as `grid.distance`.'),
    },
    identifiedBy,
    result: Type.Object({ data: document('The scene as it is now.') }),
    reasons: changeReasons,
    example: {
      parameters: { sceneId: 'crypt', data: { name: 'The Flooded Crypt' } },
      result: { data: { ...crypt, name: 'The Flooded Crypt' } },
    },
  }),
  'delete-scene': command({
    summary: 'Delete a scene with all that lies on it',
    method: 'DELETE',
    path: '/scene',
    scope: 'scene:write',
    effect: 'destroys',
    parameters: reference,
    identifiedBy,
    result: Type.Object({ success: Type.Boolean() }),
    reasons,
    example: { parameters: { sceneId: 'crypt' }, result: { success: true } },
  }),
  'switch-scene': command({
    summary: 'Make a scene the active one',
    description: 'All players see it then. A user must be a game master.',
    path: '/switch-scene',
    scope: 'scene:write',
    effect: 'changes',
    timeoutMs,
    parameters: reference,
    identifiedBy,
    result: Type.Object({ success: Type.Boolean(), data: document('The scene as it is now.') }),
    reasons,
    example: {
      parameters: { sceneId: 'crypt' },
      result: { success: true, data: { ...crypt, active: true } },
    },
  }),
} as const satisfies OperationDefinitions;
