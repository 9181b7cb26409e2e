import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { CallerFacts, Fields, OperationDefinitions } from '../operation-definition.ts';
import { document } from '../parameters.ts';
import { changeReasons, identifiedBy, scopesForKind, targetOrActors, targetReasons } from './target.ts';

const data = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { place: 'body', description });

/** Modules check by themselves whether a caller may change macros. */
const withScopes = (fields: Fields, { scopes }: CallerFacts): Fields => ({ ...fields, _scopes: scopes });

const aboutKinds =
  'Changing a macro also needs the scope `macro:write`, and the world’s setting that allows it. Changing a user needs `user:write`, and what can run scripts (a setting, a region’s behaviour, data with a macro or a script anywhere in it) needs `script:execute`.';

export const documents = {
  entity: query({
    summary: 'Read a document of any kind',
    description:
      'With `selected` the answer holds a list of documents, and `uuid` is that of the last. A user who may only see that a document is there gets its `uuid`, `name`, `type` and `img`. The wire name is `entity`.',
    path: '/get',
    scope: 'entity:read',
    parameters: targetOrActors,
    identifiedBy,
    result: Type.Object({
      uuid: Type.Optional(Type.String({ description: 'UUID of the document, or of the last one.' })),
      data: Type.Union([document('The document.'), Type.Array(document('A document.'))]),
    }),
    unloggedResult: ['data.command'],
    reasons: targetReasons,
    example: {
      parameters: { uuid: 'JournalEntry.rumours' },
      result: {
        uuid: 'JournalEntry.rumours',
        data: { _id: 'rumours', uuid: 'JournalEntry.rumours', name: 'Rumours of the chapel' },
      },
    },
  }),
  create: command({
    summary: 'Create a document of any kind',
    description: `${aboutKinds} Where \`data\` has the \`_id\` of a document that is there, the call fails unless \`override\` is true.`,
    scope: 'entity:write',
    effect: 'adds',
    scopesFor: scopesForKind,
    parameters: {
      entityType: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Kind of document, for example `Actor`, `Item`, `JournalEntry`, `RollTable` or `Macro`.',
      }),
      data: data('The document’s fields.'),
      folder: Type.Optional(
        Type.String({ minLength: 1, maxLength: 256, description: 'Id of the folder to put it in.' }),
      ),
      keepId: Type.Optional(Type.Boolean({ description: 'Keep the `_id` that `data` has.' })),
      override: Type.Optional(
        Type.Boolean({ description: 'Change the document that has this `_id` instead of failing.' }),
      ),
      fullSync: Type.Optional(
        Type.Boolean({
          description: 'With `override`: also delete the embedded documents that `data` lacks.',
        }),
      ),
    },
    adaptCommand: withScopes,
    result: Type.Object({ uuid: Type.String(), entity: document('The document as it is now.') }),
    reasons: [...changeReasons, 'not_allowed'],
    example: {
      parameters: {
        entityType: 'JournalEntry',
        data: {
          name: 'The drowned bell',
          pages: [{ name: 'Legend', text: { content: '<p>It rings.</p>' } }],
        },
      },
      result: {
        uuid: 'JournalEntry.aBcDeFgHiJkLmNoP',
        entity: { _id: 'aBcDeFgHiJkLmNoP', name: 'The drowned bell' },
      },
    },
  }),
  update: command({
    summary: 'Change a document of any kind',
    description: aboutKinds,
    method: 'PUT',
    scope: 'entity:write',
    effect: 'changes',
    scopesFor: scopesForKind,
    parameters: {
      ...targetOrActors,
      data: data('The fields to change; nested, or by dotted path such as `system.attributes.hp.value`.'),
    },
    identifiedBy,
    adaptCommand: withScopes,
    result: Type.Object({
      uuid: Type.Optional(Type.String({ description: 'UUID of the document, or of the last one.' })),
      entity: Type.Array(document('A document as it is now.')),
    }),
    reasons: [...changeReasons, 'not_allowed'],
    example: {
      parameters: { uuid: 'Actor.mira', data: { 'system.attributes.hp.value': 20 } },
      result: {
        uuid: 'Actor.mira',
        entity: [{ _id: 'mira', uuid: 'Actor.mira', name: 'Mira Thornwood' }],
      },
    },
  }),
  delete: command({
    summary: 'Delete a document of any kind',
    description: aboutKinds,
    method: 'DELETE',
    scope: 'entity:write',
    effect: 'destroys',
    scopesFor: scopesForKind,
    parameters: targetOrActors,
    identifiedBy,
    adaptCommand: withScopes,
    result: Type.Object({
      uuid: Type.Optional(Type.String({ description: 'UUID of the document, or of the last one.' })),
      success: Type.Boolean(),
    }),
    reasons: [...changeReasons, 'not_allowed'],
    example: {
      parameters: { uuid: 'JournalEntry.rumours' },
      result: { uuid: 'JournalEntry.rumours', success: true },
    },
  }),
} as const satisfies OperationDefinitions;
