import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { Fields, OperationDefinitions } from '../operation-definition.ts';
import { document } from '../parameters.ts';
import { scopesForScripts } from '../scripts.ts';

/** The kinds of documents that lie on a scene, by the word that paths have for them. Modules want the kind too. */
export const canvasKinds = {
  tokens: 'Token',
  tiles: 'Tile',
  drawings: 'Drawing',
  lights: 'AmbientLight',
  sounds: 'AmbientSound',
  notes: 'Note',
  templates: 'MeasuredTemplate',
  walls: 'Wall',
  regions: 'Region',
} as const;

export type CanvasDocumentType = keyof typeof canvasKinds;

const documentType = Type.Enum(Object.keys(canvasKinds) as CanvasDocumentType[], {
  description: 'What kind of documents.',
});

const id = (description: string) => Type.String({ minLength: 1, maxLength: 256, description });

const sceneId = Type.Optional(id('Id of the scene; without it the active one.'));

const withClassName = (fields: Fields): Fields => ({
  ...fields,
  className: canvasKinds[fields['documentType'] as CanvasDocumentType],
});

const place = { sceneId: Type.String(), documentType: Type.String() };

const documents = Type.Object({ ...place, data: Type.Array(document('A document.')) });

const reasons = ['entity_not_found', 'permission_denied'] as const;

const changeReasons = [...reasons, 'invalid_data', 'world_full'] as const;

const aboutRegions =
  'A region whose data embeds behaviours also needs the scope `script:execute`, because a behaviour can run a script.';

const scopesFor = ({ data }: Fields) => scopesForScripts(data);

const gate = { _id: 'vault-gate', c: [11, 3, 11, 5], door: 1, ds: 0 };

export const canvasDocuments = {
  'get-canvas-documents': query({
    summary: 'List what lies on a scene',
    description:
      'The answer holds all documents of the kind: a large scene has thousands of walls, which are a few megabytes; one above 16 MiB fails. Some of today’s modules know no `regions`.',
    path: '/canvas/:documentType',
    scope: 'canvas:read',
    parameters: { documentType, documentId: Type.Optional(id('Id of the only one to read.')), sceneId },
    result: documents,
    reasons,
    example: {
      parameters: { documentType: 'walls', sceneId: 'crypt' },
      result: { sceneId: 'crypt', documentType: 'walls', data: [gate] },
    },
  }),
  'create-canvas-document': command({
    summary: 'Put documents on a scene',
    description: aboutRegions,
    path: '/canvas/:documentType',
    scope: 'canvas:write',
    effect: 'adds',
    scopesFor,
    lessIsMore: true,
    timeoutMs: 30_000,
    parameters: {
      documentType,
      data: Type.Union([document('A document.'), Type.Array(document('A document.'), { maxItems: 500 })], {
        place: 'body',
        description: 'The fields of one document, or a list of up to 500.',
      }),
      sceneId,
    },
    adaptCommand: withClassName,
    result: documents,
    reasons: changeReasons,
    example: {
      parameters: { documentType: 'notes', data: { x: 12, y: 6, text: 'Wet footprints' } },
      result: {
        sceneId: 'chapel',
        documentType: 'notes',
        data: [{ _id: 'aBcDeFgHiJkLmNoP', x: 12, y: 6, text: 'Wet footprints' }],
      },
    },
  }),
  'update-canvas-document': command({
    summary: 'Change a document on a scene',
    description: `${aboutRegions} Today’s modules answer an empty list where nothing changed.`,
    method: 'PUT',
    path: '/canvas/:documentType',
    scope: 'canvas:write',
    effect: 'changes',
    scopesFor,
    lessIsMore: true,
    timeoutMs: 30_000,
    parameters: {
      documentType,
      documentId: id('Id of the document.'),
      data: Type.Record(Type.String(), Type.Unknown(), {
        place: 'body',
        description: 'The fields to change; nested, or by dotted path.',
      }),
      sceneId,
    },
    adaptCommand: withClassName,
    result: documents,
    reasons: changeReasons,
    example: {
      parameters: {
        documentType: 'walls',
        documentId: 'vault-gate',
        data: { ds: 1 },
        sceneId: 'crypt',
      },
      result: { sceneId: 'crypt', documentType: 'walls', data: [{ ...gate, ds: 1 }] },
    },
  }),
  'delete-canvas-document': command({
    summary: 'Take documents from a scene',
    method: 'DELETE',
    path: '/canvas/:documentType',
    scope: 'canvas:write',
    effect: 'destroys',
    parameters: {
      documentType,
      documentId: Type.Union([id('Id.'), Type.Array(id('Id.'), { minItems: 1, maxItems: 500 })], {
        description: 'Id of the document, or a list of up to 500.',
      }),
      sceneId,
    },
    adaptCommand: withClassName,
    result: Type.Object({ ...place, success: Type.Boolean() }),
    reasons,
    example: {
      parameters: { documentType: 'walls', documentId: 'vault-gate', sceneId: 'crypt' },
      result: { sceneId: 'crypt', documentType: 'walls', success: true },
    },
  }),
} as const satisfies OperationDefinitions;
