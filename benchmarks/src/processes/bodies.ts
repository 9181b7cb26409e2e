/** What the worlds answer a skill check with, and the floor too. */
export const skillCheckResult = {
  type: 'skill-check-result',
  requestId: 'skill-check_1700000000000',
  data: { actorUuid: 'Actor.mira', skill: 'prc', total: 19, formula: '1d20 + 5', result: '14 + 5' },
};

/** Items as a character sheet has them, as the text of a JSON array of about so many bytes. */
export function itemsJson(bytes: number): string {
  const items: string[] = [];
  for (let length = 0, index = 0; length < bytes; index++) {
    const item = JSON.stringify({
      _id: `item${String(index).padStart(12, '0')}`,
      name: `Potion of Healing ${index}`,
      type: 'consumable',
      img: 'icons/consumables/potions/bottle-round-corked-red.webp',
      system: {
        quantity: index % 7,
        weight: { value: 0.5, units: 'lb' },
        price: { value: 50, denomination: 'gp' },
        rarity: 'common',
        identified: true,
        attunement: null,
        uses: { max: '1', spent: 0, recovery: [], autoDestroy: true },
        description: { value: '<p>You regain 2d4 + 2 hit points when you drink this potion.</p>', chat: '' },
      },
      sort: index * 100,
    });
    items.push(item);
    length += item.length + 1;
  }
  return `[${items.join(',')}]`;
}
