import type { Document } from '../document.ts';
import type { StoredDocument } from '../store/stored-document.ts';
import { playlists } from './playlists.ts';
import { sceneThings } from './scene-things.ts';

const standing = (kind: string, data: Document): StoredDocument => ({
  kind,
  parent: null,
  data: { folder: null, flags: {}, ...data },
});

const page = (parent: string, name: string, content: string): StoredDocument => ({
  kind: 'JournalEntryPage',
  parent,
  data: { name, type: 'text', text: { content, format: 1 } },
});

/** The journals and other papers of the Sunken Chapel. */
export const documents: Readonly<Record<string, StoredDocument>> = {
  'Folder.handouts': standing('Folder', { name: 'Handouts', type: 'JournalEntry', color: '#4f7cac' }),
  'JournalEntry.rumours': standing('JournalEntry', {
    name: 'Rumours of the chapel',
    folder: 'handouts',
    ownership: { default: 2 },
  }),
  'JournalEntry.rumours.JournalEntryPage.bell': page(
    'JournalEntry.rumours',
    'The bell',
    '<p>Fishermen hear it under the water on nights without wind.</p>',
  ),
  'JournalEntry.secrets': standing('JournalEntry', { name: 'What lies below', ownership: { default: 0 } }),
  'JournalEntry.secrets.JournalEntryPage.crypt': page(
    'JournalEntry.secrets',
    'The crypt',
    '<p>The stair behind the altar opens when both basins are full.</p>',
  ),
  'Macro.toll': standing('Macro', {
    name: 'Toll the bell',
    type: 'script',
    img: 'icons/macro.svg',
    scope: 'global',
    author: 'ada',
    command: 'return args.times ?? 1;',
    ownership: { default: 0, ada: 3 },
  }),
  'Item.silver-key': standing('Item', {
    name: 'Silver key',
    type: 'loot',
    img: 'icons/loot.svg',
    system: { quantity: 1, weight: { value: 0 }, description: { value: 'It is always wet.' } },
    ownership: { default: 1 },
  }),
  ...playlists,
  ...sceneThings,
};
