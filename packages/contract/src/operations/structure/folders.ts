import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { document, name, nullable } from '../parameters.ts';

const parentFolder = Type.Optional(nullable(Type.String({ description: 'Id of the folder around it.' })));

const folder = {
  id: Type.String(),
  uuid: Type.String(),
  name: Type.String(),
  type: Type.String(),
  parentFolder,
};

const folderId = Type.String({ minLength: 1, maxLength: 256, description: 'Id of the folder.' });

const part = (description: string) =>
  Type.Optional(Type.Union([document(description), Type.Array(Type.Unknown())], { description }));

const reasons = ['entity_not_found', 'permission_denied'] as const;

/** The kinds of documents that lie in folders. */
const listedKinds = [
  'Actor',
  'Item',
  'Scene',
  'JournalEntry',
  'RollTable',
  'Playlist',
  'Macro',
  'Cards',
] as const;

const kind = Type.Enum([...listedKinds]);

const rumours = {
  uuid: 'JournalEntry.rumours',
  id: 'rumours',
  name: 'Rumours of the chapel',
  type: 'JournalEntry',
  img: null,
};

export const folders = {
  structure: query({
    summary: 'List folders, documents and compendiums',
    description:
      'The answer grows with the world: with `includeEntityData` it can have many megabytes, and one above 16 MiB fails. Ask for `types`, or for one folder with `path`, to keep it small. Folders stand under their names, so of two with one name the answer holds the later.',
    scope: 'structure:read',
    parameters: {
      path: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description: 'Only this folder or pack: `Folder.<id>` or `Compendium.<pack>`.',
        }),
      ),
      types: Type.Optional(
        Type.Array(kind, {
          maxItems: 32,
          byCommas: true,
          // Today's modules list nothing without it, and refuse a `path`.
          default: [...listedKinds],
          description: 'Kinds of documents; all where it is left out.',
        }),
      ),
      type: Type.Optional(Type.Enum([...listedKinds], { description: 'The same for a single kind.' })),
      recursive: Type.Optional(Type.Boolean({ description: 'Also what lies in inner folders.' })),
      recursiveDepth: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'How deep.' }),
      ),
      includeEntityData: Type.Optional(
        Type.Boolean({ description: 'Whole documents instead of their names.' }),
      ),
    },
    prefers: [['types', 'type']],
    // In a frame `type` is the name of the command.
    adaptCommand: ({ type, ...fields }) => (type === undefined ? fields : { ...fields, types: [type] }),
    result: Type.Object({
      data: Type.Object({
        folders: part('Folders by name, each with `id`, `uuid`, `type`, `folders` and `entities`.'),
        entities: part('What lies in no folder, by kind.'),
        compendiumPacks: part('Packs by label.'),
        compendium: part('With `path`: the pack.'),
      }),
    }),
    reasons: ['entity_not_found', 'permission_denied'],
    example: {
      parameters: { types: ['JournalEntry'], recursive: true },
      result: {
        data: {
          folders: {
            Handouts: {
              id: 'handouts',
              uuid: 'Folder.handouts',
              type: 'JournalEntry',
              folders: {},
              entities: [rumours],
            },
          },
          entities: {
            journal: [
              {
                uuid: 'JournalEntry.secrets',
                id: 'secrets',
                name: 'What lies below',
                type: 'JournalEntry',
                img: null,
              },
            ],
          },
          compendiumPacks: {},
        },
      },
    },
  }),
  'get-folder': query({
    summary: 'Find a folder by its name',
    scope: 'structure:read',
    parameters: { name: name('Name of the folder, as it stands in the world.') },
    result: Type.Object({
      data: Type.Object({
        ...folder,
        contents: Type.Array(
          Type.Object({
            uuid: Type.String(),
            id: Type.String(),
            name: Type.String(),
            type: Type.Optional(nullable(Type.String())),
            img: Type.Optional(nullable(Type.String())),
          }),
        ),
      }),
    }),
    reasons,
    example: {
      parameters: { name: 'Handouts' },
      result: {
        data: {
          id: 'handouts',
          uuid: 'Folder.handouts',
          name: 'Handouts',
          type: 'JournalEntry',
          parentFolder: null,
          contents: [rumours],
        },
      },
    },
  }),
  'create-folder': command({
    summary: 'Create a folder',
    scope: 'structure:write',
    effect: 'adds',
    parameters: {
      name: name('Name of the folder.'),
      folderType: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Kind of the documents in it, for example `Actor`.',
      }),
      parentFolderId: Type.Optional(
        Type.String({ minLength: 1, maxLength: 256, description: 'Id of the folder around it.' }),
      ),
      folderId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 256,
          description: 'The id that it shall have. Where a folder has it, that folder is answered.',
        }),
      ),
    },
    result: Type.Object({ data: Type.Object(folder) }),
    reasons: [...reasons, 'invalid_data', 'world_full'],
    example: {
      parameters: { name: 'Villains', folderType: 'Actor' },
      result: {
        data: {
          id: 'aBcDeFgHiJkLmNoP',
          uuid: 'Folder.aBcDeFgHiJkLmNoP',
          name: 'Villains',
          type: 'Actor',
          parentFolder: null,
        },
      },
    },
  }),
  'delete-folder': command({
    summary: 'Delete a folder',
    method: 'DELETE',
    scope: 'structure:write',
    effect: 'destroys',
    parameters: {
      folderId,
      deleteAll: Type.Optional(
        Type.Boolean({
          description: 'Also delete what lies in it; without it a folder that is not empty stays.',
        }),
      ),
    },
    result: Type.Object({
      data: Type.Object({
        deleted: Type.Boolean(),
        folderId: Type.String(),
        entitiesDeleted: Type.Integer(),
        foldersDeleted: Type.Integer(),
      }),
    }),
    reasons: [...reasons, 'not_empty', 'not_supported'],
    example: {
      parameters: { folderId: 'handouts', deleteAll: true },
      result: {
        data: { deleted: true, folderId: 'handouts', entitiesDeleted: 1, foldersDeleted: 1 },
      },
    },
  }),
} as const satisfies OperationDefinitions;
