import type { Actor, Charges, Item, ItemType } from '../state.ts';
import type { Ability } from '../ability.ts';
import type { Effect } from '../effect.ts';

/** An item before it belongs to an actor. */
export type ItemDraft = Omit<Item, 'uuid'>;

/** The fields that an actor's sheet must have. The rest has the values of a rested, unhurt, poor adventurer. */
export type ActorDraft = Pick<Actor, 'name' | 'race' | 'hitPoints' | 'hitDice' | 'abilities'> &
  Partial<Omit<Actor, 'uuid' | 'img' | 'items'>> & { items: readonly ItemDraft[] };

export function createActor(id: string, draft: ActorDraft): Actor {
  const uuid = `Actor.${id}`;
  return {
    uuid,
    kind: 'character',
    img: `tokens/${id}.svg`,
    owners: [],
    creatureType: 'humanoid',
    className: '',
    background: '',
    alignment: 'neutral',
    level: 0,
    challenge: null,
    experience: null,
    speedFeet: 30,
    deathSaves: { success: 0, failure: 0 },
    life: 'alive',
    skills: {},
    naturalArmor: null,
    damageImmunities: [],
    conditionImmunities: [],
    conditions: [],
    concentration: null,
    spellcasting: null,
    spellSlots: {},
    pactSlots: null,
    currency: { pp: 0, gp: 0, ep: 0, sp: 0, cp: 0 },
    ...draft,
    items: draft.items.map((item) => ({ ...item, uuid: `${uuid}.Item.${item.id}` })),
  };
}

/** Scores in the order of the sheet, and which saves are proficient. */
export function abilities(scores: readonly number[], ...saves: Ability[]): Actor['abilities'] {
  const order = ['str', 'dex', 'con', 'int', 'wis', 'cha'] as const;
  const entry = (ability: Ability, index: number) => [
    ability,
    { score: scores[index] ?? 10, saveProficient: saves.includes(ability) },
  ];
  return Object.fromEntries(order.map(entry)) as Actor['abilities'];
}

export function unhurt(max: number): Actor['hitPoints'] {
  return { value: max, max, temp: 0 };
}

export function item(type: ItemType, name: string, more: Partial<ItemDraft> = {}): ItemDraft {
  return {
    id: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    name,
    type,
    description: '',
    quantity: 1,
    weightPounds: 0,
    equipped: false,
    attunement: { required: false, attuned: false },
    charges: null,
    ...more,
  };
}

/** A magic item that works only for who is attuned to it. */
export function attuned(draft: ItemDraft, isAttuned = true): ItemDraft {
  return { ...draft, equipped: isAttuned, attunement: { required: true, attuned: isAttuned } };
}

export function feature(name: string, description: string, more: Partial<ItemDraft> = {}): ItemDraft {
  return item('feat', name, { description, ...more });
}

export function uses(max: number, recharge: Charges['recharge'], formula?: string): Charges {
  return { value: max, max, recharge, ...(formula && { formula }) };
}

/** `level school`, for example `3 evocation`; `details` as in a spell's heading. */
export function spell(
  name: string,
  levelAndSchool: `${number} ${string}`,
  details: { components: string; range: string; duration?: string; ritual?: boolean },
  description: string,
  effect?: Effect,
): ItemDraft {
  const [level, school] = levelAndSchool.split(' ') as [string, string];
  const { duration = 'Instantaneous', ritual = false, components, range } = details;
  const concentration = duration.startsWith('Concentration');
  return item('spell', name, {
    description,
    spell: {
      level: Number(level),
      school,
      concentration,
      ritual,
      prepared: true,
      components,
      range,
      duration,
    },
    ...(effect && { effect }),
  });
}

/** A weapon's attack and damage. */
export function strike(ability: 'str' | 'dex' | 'finesse', formula: string, type: string, magic = 0): Effect {
  return { kind: 'attack', ability, magic, damage: [{ formula, type }], damageModifier: true };
}

/** Damage that a saving throw against the caster's DC resists. */
export function saved(
  ability: Ability,
  formula: string,
  type: string,
  more: { onSuccess?: 'half' | 'none'; perSlotLevel?: string } = {},
): Effect {
  const { onSuccess = 'half', perSlotLevel } = more;
  const damage = [{ formula, type, ...(perSlotLevel && { perSlotLevel }) }];
  return { kind: 'save', ability, dc: 'spell', damage, onSuccess };
}
