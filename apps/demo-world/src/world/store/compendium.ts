import * as gear from '../content/gear.ts';
import * as spells from '../content/spells.ts';
import type { ItemDraft } from '../content/builders.ts';
import { itemDocument } from '../documents.ts';
import type { FoundDocument } from './stored-document.ts';

/** A pack of documents that belong to the system and cannot be changed. */
export interface Compendium {
  /** For example `dnd5e.spells`. */
  id: string;
  label: string;
  kind: string;
  documents: readonly FoundDocument[];
}

const drafts = new Map<string, ItemDraft>();

/** Every pack. */
export const compendiums: readonly Compendium[] = [
  packOf('dnd5e.items', 'Gear', [
    gear.dagger,
    gear.shield,
    gear.chainMail,
    gear.studdedLeather,
    gear.arrows('Arrow', 20),
    gear.potionOfHealing(1),
    gear.wandOfMagicMissiles,
    gear.staffOfHealing,
  ]),
  packOf('dnd5e.spells', 'Spells', Object.values(spells)),
];

export function compendiumDocument(uuid: string): FoundDocument | undefined {
  const [, system, pack] = uuid.split('.');
  return compendiums
    .find(({ id }) => id === `${system}.${pack}`)
    ?.documents.find((document) => document.uuid === uuid);
}

/** The item that a pack's document was made from. */
export function compendiumItem(uuid: string): ItemDraft | undefined {
  return drafts.get(uuid);
}

function packOf(id: string, label: string, items: readonly ItemDraft[]): Compendium {
  const documents = items.map((draft) => {
    const uuid = `Compendium.${id}.Item.${draft.id}`;
    drafts.set(uuid, draft);
    const data = { ...itemDocument({ ...draft, uuid }), uuid };
    return { kind: 'Item', uuid, parent: null, data };
  });
  return { id, label, kind: 'Item', documents };
}
