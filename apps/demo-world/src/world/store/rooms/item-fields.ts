import { valueAt } from '../../differences.ts';
import type { Document } from '../../document.ts';
import type { Charges, Item, ItemType } from '../../state.ts';
import { countAt, flagAt, textAt } from './fields.ts';

const itemTypes = [
  'weapon',
  'equipment',
  'consumable',
  'loot',
  'spell',
  'feat',
] as const satisfies readonly ItemType[];

/** An item of an actor after changes of its document, as far as the rules know the fields. */
export function readItem(item: Item, document: Document): Item {
  return {
    ...item,
    name: textAt(document, 'name', item.name),
    description: textAt(document, 'system.description.value', item.description),
    quantity: countAt(document, 'system.quantity', item.quantity),
    weightPounds: countAt(document, 'system.weight.value', item.weightPounds),
    equipped: flagAt(document, 'system.equipped', item.equipped),
    charges: chargesOf(item.charges, document),
    ...(item.spell && {
      spell: { ...item.spell, prepared: flagAt(document, 'system.prepared', item.spell.prepared) },
    }),
  };
}

/** An item that has nothing yet but its id and its type; what it is called and has is read afterwards. */
export function blankItem(uuid: string, id: string, document: Document): Item {
  const type = itemTypes.find((known) => known === document['type']) ?? 'loot';
  return {
    uuid,
    id,
    name: 'Item',
    type,
    description: '',
    quantity: 1,
    weightPounds: 0,
    equipped: false,
    attunement: {
      required: textAt(document, 'system.attunement', '') === 'required',
      attuned: false,
    },
    charges: null,
    ...(type === 'spell' && { spell: blankSpell(document) }),
  };
}

function blankSpell(document: Document): NonNullable<Item['spell']> {
  return {
    level: countAt(document, 'system.level', 0, { max: 9 }),
    school: textAt(document, 'system.school', ''),
    concentration: flagAt(document, 'system.concentration', false),
    ritual: flagAt(document, 'system.ritual', false),
    prepared: flagAt(document, 'system.prepared', false),
    components: textAt(document, 'system.components', ''),
    range: textAt(document, 'system.range', ''),
    duration: textAt(document, 'system.duration', ''),
  };
}

/** An item has charges once its document says how many at most. */
function chargesOf(charges: Charges | null, document: Document): Charges | null {
  if (!charges && typeof valueAt(document, 'system.uses.max') !== 'number') return charges;
  const max = countAt(document, 'system.uses.max', charges?.max ?? 0, { max: 10_000 });
  const value = countAt(document, 'system.uses.value', charges?.value ?? max, { max });
  return { recharge: null, ...charges, value: Math.min(value, max), max };
}
