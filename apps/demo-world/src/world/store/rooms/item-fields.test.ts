import { describe, expect, test } from 'vitest';
import { itemOf } from '../../../../test/look-up.ts';
import type { Document } from '../../document.ts';
import type { Item } from '../../state.ts';
import { createWorld } from '../../world.ts';

const mira = 'Actor.mira';

/** One of Mira's items after a change of its document. */
function after(id: string, data: Document): Item {
  const world = createWorld({ seed: 1 });
  world.answer('update', { uuid: `${mira}.Item.${id}`, data });
  return itemOf(world, mira, id);
}

/** An item that Mira gets, as the rules have it and as its document is told. */
function made(data: Document): { item: Item; entity: Document } {
  const world = createWorld({ seed: 1 });
  const items = [{ _id: 'made', ...data }];
  world.answer('update', { uuid: mira, data: { items } });
  const entity = world.answer('entity', { uuid: `${mira}.Item.made` }).data as Document;
  return { item: itemOf(world, mira, 'made'), entity };
}

describe('what is written into the document of an actor’s item', () => {
  const before = itemOf(createWorld(), mira, 'spellbook');

  test.each<[string, unknown, unknown, (item: Item) => unknown]>([
    ['name', 'Diary', 5, ({ name }) => name],
    ['system.description.value', 'Wet.', 5, ({ description }) => description],
    ['system.quantity', 1_000_000, 'some', ({ quantity }) => quantity],
    ['system.weight.value', 4, {}, ({ weightPounds }) => weightPounds],
    ['system.equipped', true, 1, ({ equipped }) => equipped],
  ])('is what the rules know, where it is of the right type: %s', (path, right, wrong, read) => {
    expect(read(after('spellbook', { [path]: right }))).toBe(right);
    expect(read(after('spellbook', { [path]: wrong }))).toBe(read(before));
  });

  test('is no less than nothing', () => {
    expect(after('spellbook', { 'system.quantity': -1 }).quantity).toBe(0);
    expect(after('spellbook', { 'system.quantity': 1_000_001 }).quantity).toBe(1_000_000);
  });

  test('prepares a spell, and makes no spell of another thing', () => {
    expect(after('fireball', { 'system.prepared': false }).spell?.prepared).toBe(false);
    expect(after('fireball', { 'system.prepared': 'no' }).spell?.prepared).toBe(true);
    expect(after('spellbook', { 'system.prepared': true })).not.toHaveProperty('spell');
  });
});

describe('charges', () => {
  test.each<[string, Document, object | null]>([
    ['fall to what is written', { value: 3 }, { value: 3, max: 7 }],
    ['never pass their maximum', { value: 8 }, { value: 7, max: 7 }],
    ['never fall below 0', { value: -1 }, { value: 0, max: 7 }],
    ['fall with their maximum', { max: 2 }, { value: 2, max: 2 }],
    ['stay when their maximum rises', { max: 9 }, { value: 7, max: 9 }],
    ['have a maximum that is held within bounds', { max: 10_001 }, { value: 7, max: 10_000 }],
    ['have a maximum that is not below 0', { max: -1 }, { value: 0, max: 0 }],
    ['keep a maximum for which no number is written', { max: 'x' }, { value: 7, max: 7 }],
  ])('of a wand %s', (_what, uses, charges) => {
    expect(after('wand', { system: { uses } }).charges).toEqual({
      recharge: 'dawn',
      formula: '1d6 + 1',
      ...charges,
    });
  });

  test('come to a thing once their maximum is written, all of them', () => {
    expect(after('spellbook', { 'system.uses.max': 3 }).charges).toEqual({
      value: 3,
      max: 3,
      recharge: null,
    });
    expect(after('spellbook', { 'system.uses.max': 10_001 }).charges?.max).toBe(10_000);
    expect(after('spellbook', { system: { uses: { value: 1, max: 3 } } }).charges?.value).toBe(1);
    for (const uses of [{ value: 3 }, { max: '3' }, { max: null }])
      expect(after('spellbook', { system: { uses } }).charges).toBeNull();
  });
});

describe('an item that is made', () => {
  test.each(['weapon', 'equipment', 'consumable', 'loot', 'spell', 'feat'])('is a %s', (type) => {
    const { item, entity } = made({ type });
    expect([item.type, entity['type']]).toEqual([type, type]);
    expect('spell' in item).toBe(type === 'spell');
  });

  test('is loot where its type is none of the rules’, and has nothing that is not written', () => {
    expect(made({ type: 'backpack' }).item).toEqual({
      uuid: `${mira}.Item.made`,
      id: 'made',
      name: 'Item',
      type: 'loot',
      description: '',
      quantity: 1,
      weightPounds: 0,
      equipped: false,
      attunement: { required: false, attuned: false },
      charges: null,
      more: { type: 'backpack' },
    });
  });

  test('asks for attunement where that is required, and not where it is optional', () => {
    const attunementOf = (attunement: string) => made({ system: { attunement } }).item.attunement;
    expect(attunementOf('required')).toEqual({ required: true, attuned: false });
    expect(attunementOf('optional')).toEqual({ required: false, attuned: false });
  });

  test('as a spell has what is written of it, and by itself is a cantrip that is not prepared', () => {
    const spell = {
      level: 3,
      school: 'evocation',
      concentration: true,
      ritual: true,
      prepared: true,
      components: 'V, S',
      range: '60 ft',
      duration: '1 minute',
    };
    expect(made({ type: 'spell', system: spell }).item.spell).toEqual(spell);
    expect(made({ type: 'spell', system: { level: 10 } }).item.spell).toEqual({
      level: 9,
      school: '',
      concentration: false,
      ritual: false,
      prepared: false,
      components: '',
      range: '',
      duration: '',
    });
    expect(made({ type: 'spell' }).item.spell?.level).toBe(0);
  });
});
