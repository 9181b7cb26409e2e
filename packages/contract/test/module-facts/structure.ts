import { maybe, open, orNull } from './module-fact.ts';
import type { ModuleFacts } from './module-fact.ts';

export const structure = {
  search: {
    http: 'GET /search',
    timeoutS: 10,
    reads: 'query? filter? excludeCompendiums? minified? limit? ownedByUserId? clientId?',
    answer: {
      clientId: maybe('client'),
      query: 'healing',
      filter: 'Item',
      results: open(
        [
          {
            documentType: 'Item',
            folder: { id: 'gear', name: 'Gear' },
            id: 'potion-of-healing',
            name: 'Potion of Healing',
            package: 'dnd5e.items',
            packageName: 'Gear',
            subType: 'consumable',
            uuid: 'Compendium.dnd5e.items.Item.potion-of-healing',
            icon: '<i class="fa"></i>',
            journalLink: '@UUID[Item.potion]{Potion}',
            tagline: 'Gear',
            formattedMatch: '<strong>Potion</strong>',
            resultType: 'compendium',
          },
        ],
        [
          {
            uuid: 'Compendium.dnd5e.items.Item.potion-of-healing',
            id: 'potion-of-healing',
            name: 'Potion of Healing',
            img: 'icons/consumable.svg',
            documentType: 'Item',
          },
        ],
      ),
    },
    refusal: { results: [], query: 'healing' },
  },
  structure: {
    http: 'GET /structure',
    timeoutS: 10,
    reads: 'path? types? type? recursive? recursiveDepth? includeEntityData?',
    answer: {
      data: {
        folders: maybe({
          Handouts: {
            id: 'handouts',
            uuid: 'Folder.handouts',
            type: 'JournalEntry',
            folders: {},
            entities: [
              {
                uuid: 'JournalEntry.rumours',
                id: 'rumours',
                name: 'Rumours of the chapel',
                type: 'JournalEntry',
                img: null,
              },
            ],
          },
        }),
        entities: maybe({
          journal: [
            {
              uuid: 'JournalEntry.secrets',
              id: 'secrets',
              name: 'What lies below',
              type: 'JournalEntry',
              img: null,
            },
          ],
        }),
        compendiumPacks: maybe({}),
        compendium: maybe({ id: 'dnd5e.items', name: 'Gear', entities: [] }),
      },
    },
    refusal: { data: {} },
  },
  'get-folder': {
    http: 'GET /get-folder',
    timeoutS: 10,
    reads: 'name',
    answer: {
      data: {
        id: 'handouts',
        uuid: 'Folder.handouts',
        name: 'Handouts',
        type: 'JournalEntry',
        parentFolder: orNull('Folder.people'),
        contents: [
          {
            uuid: 'JournalEntry.rumours',
            id: 'rumours',
            name: 'Rumours of the chapel',
            type: 'JournalEntry',
            img: orNull('icons/svg/book.svg'),
          },
        ],
      },
    },
    refusal: { data: null },
  },
  'create-folder': {
    http: 'POST /create-folder',
    timeoutS: 10,
    reads: 'name folderType parentFolderId? folderId?',
    answer: {
      data: {
        id: 'aBcDeFgHiJkLmNoP',
        uuid: 'Folder.aBcDeFgHiJkLmNoP',
        name: 'Villains',
        type: 'Actor',
        parentFolder: orNull('Folder.people'),
      },
    },
    refusal: { data: null },
  },
  'delete-folder': {
    http: 'DELETE /delete-folder',
    timeoutS: 10,
    reads: 'folderId deleteAll?',
    answer: { data: { deleted: true, folderId: 'handouts', entitiesDeleted: 1, foldersDeleted: 1 } },
    refusal: { data: null },
  },
} satisfies ModuleFacts;
