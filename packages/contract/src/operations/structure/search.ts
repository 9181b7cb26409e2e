import { Type } from 'typebox';
import { query } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { nullable } from '../parameters.ts';

const text = Type.Optional(nullable(Type.String()));

/** With `minified` a hit has `uuid`, `id`, `name`, `img` and `documentType` only. */
const hit = Type.Object({
  uuid: Type.String(),
  id: text,
  name: text,
  img: text,
  documentType: text,
  subType: text,
  icon: Type.Optional(Type.Unknown({ description: 'An image’s path, or markup.' })),
  folder: Type.Optional(Type.Unknown({ description: 'Id of the folder, or what the module says of it.' })),
  package: text,
  packageName: text,
  journalLink: text,
  tagline: text,
  formattedMatch: text,
  resultType: text,
});

export const search = {
  search: query({
    summary: 'Search the world and its compendiums',
    description:
      'The answer holds at most 500 hits. A user without any right to a document does not find it, and one who may only see that it is there finds it minified. Today’s modules need another module for it (Quick Insert) and fail without.',
    path: '/search',
    scope: 'search:read',
    parameters: {
      query: Type.Optional(
        Type.String({ maxLength: 256, description: 'Text that names contain; all where it is left out.' }),
      ),
      filter: Type.Optional(
        Type.Union([Type.String({ maxLength: 1024 }), Type.Record(Type.String(), Type.Unknown())], {
          aliases: ['type'],
          description:
            'A kind of document, for example `Actor`, or fields and their values: `key:value,key:value`, or an object.',
        }),
      ),
      excludeCompendiums: Type.Optional(Type.Boolean({ description: 'Search the world alone.' })),
      minified: Type.Optional(Type.Boolean({ description: 'Answer with five fields for each hit.' })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 500,
          default: 200,
          cut: true,
          description: 'How many hits at most; more count as 500.',
        }),
      ),
      ownedByUserId: Type.Optional(
        Type.String({ minLength: 1, maxLength: 256, description: 'Find only what this user owns.' }),
      ),
    },
    result: Type.Object({
      clientId: Type.Optional(Type.Unknown({ description: 'What today’s modules echo: nothing.' })),
      query: Type.Optional(nullable(Type.String())),
      filter: Type.Optional(Type.Unknown({ description: 'The filter, as it was given.' })),
      results: Type.Array(hit),
    }),
    reasons: ['user_not_found'],
    example: {
      parameters: { query: 'healing', filter: 'Item', minified: true },
      result: {
        query: 'healing',
        filter: 'Item',
        results: [
          {
            uuid: 'Compendium.dnd5e.items.Item.potion-of-healing',
            id: 'potion-of-healing',
            name: 'Potion of Healing',
            img: 'icons/consumable.svg',
            documentType: 'Item',
          },
        ],
      },
    },
  }),
} as const satisfies OperationDefinitions;
