import { describe, expect, test } from 'vitest';
import { refusal } from '../../../../test/look-up.ts';
import { createWorld } from '../../world.ts';

function search(parameters: object, userId?: string) {
  return createWorld({ seed: 1 }).answer('search', parameters, { userId });
}

const names = (parameters: object, userId?: string) =>
  search(parameters, userId).results.map(({ name }) => name);

describe('a hit', () => {
  test('in the world tells what it is, and that it is in no pack', () => {
    expect(search({ query: 'SILVER' })).toEqual({
      query: 'SILVER',
      results: [
        {
          documentType: 'Item',
          folder: null,
          formattedMatch: 'Silver key',
          icon: 'icons/loot.svg',
          id: 'silver-key',
          journalLink: '@UUID[Item.silver-key]{Silver key}',
          name: 'Silver key',
          package: null,
          packageName: null,
          resultType: 'WorldEntity',
          subType: 'loot',
          tagline: 'Item',
          uuid: 'Item.silver-key',
        },
      ],
    });
  });

  test('in a compendium names its pack', () => {
    expect(search({ query: 'chain mail' }).results).toEqual([
      expect.objectContaining({
        uuid: 'Compendium.dnd5e.items.Item.chain-mail',
        icon: 'icons/equipment.svg',
        package: 'dnd5e.items',
        packageName: 'Gear',
        tagline: 'Gear',
        resultType: 'CompendiumEntity',
      }),
    ]);
  });

  test('is short where that is asked, and where the user may see no more', () => {
    const borin = {
      uuid: 'Actor.borin',
      id: 'borin',
      name: 'Borin Ironhand',
      img: 'tokens/borin.svg',
      documentType: 'Actor',
    };
    expect(search({ query: 'borin', minified: true }).results).toEqual([borin]);
    expect(search({ query: 'borin' }, 'Ben').results).toEqual([borin]);
    expect(search({ query: 'borin' }, 'Cleo').results).toMatchObject([{ subType: 'character' }]);
    expect(search({ query: 'rumours', minified: true }).results).toMatchObject([{ img: null }]);
    expect(search({ query: 'rumours' }).results).toMatchObject([{ subType: null, folder: 'handouts' }]);
  });
});

describe('what is found', () => {
  test.each<[unknown, string[]]>([
    ['JournalEntry', ['Rumours of the chapel', 'What lies below']],
    ['journalentry', ['Rumours of the chapel', 'What lies below']],
    [' documentType : JournalEntry , folder : handouts ', ['Rumours of the chapel']],
    ['folder:handouts', ['Rumours of the chapel']],
    [{ folder: 'Handouts' }, ['Rumours of the chapel']],
    [{ documentType: 'Macro', command: 'return args.times ?? 1;' }, ['Toll the bell']],
    ['documentType:Actor,system.attributes.hp.max:43', ['Borin Ironhand']],
    [{ documentType: 'Actor', 'system.attributes.hp.max': '43' }, ['Borin Ironhand']],
    [{ documentType: 'Actor', 'system.nothing': 1 }, []],
    [{ package: 'dnd5e.items', subType: 'consumable' }, ['Potion of Healing']],
    ['journalLink:@UUID[Item.silver-key]{Silver key}', ['Silver key']],
    ['Nothing', []],
  ])('agrees with all that the filter says: %j', (filter, found) => {
    expect(names({ filter })).toEqual(found);
  });

  test('is all that there is in folders and packs where nothing is said, up to a number', () => {
    const all = names({});
    expect(all).toContain('Mira Thornwood');
    expect(all).toContain('Fireball');
    expect(all).not.toContain('Handouts');
    expect(all).not.toContain('Ada');
    expect(names({ limit: 2 })).toEqual(all.slice(0, 2));
    expect(names({ excludeCompendiums: false })).toEqual(all);
    expect(names({ excludeCompendiums: true })).toEqual(
      all.slice(0, names({ excludeCompendiums: true }).length),
    );
    expect(names({ excludeCompendiums: true })).not.toContain('Fireball');
  });

  test('is an owner’s where that is asked: what is theirs alone, and not what game masters may', () => {
    expect(names({ ownedByUserId: 'ada' })).toEqual(['Toll the bell']);
    expect(names({ ownedByUserId: 'Cleo', filter: 'Actor' })).toEqual(['Borin Ironhand']);
    expect(() => names({ ownedByUserId: 'nobody' })).toThrow(refusal('user_not_found'));
  });

  test('is told with what was asked for', () => {
    expect(search({ filter: 'Macro' })).toMatchObject({ filter: 'Macro' });
    expect(search({ filter: 'Macro' })).not.toHaveProperty('query');
    expect(search({ query: 'x' })).not.toHaveProperty('filter');
  });
});
