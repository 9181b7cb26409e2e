import { Refusal } from '../refusal.ts';
import type { Actor, Charges, Item } from '../state.ts';

/** An actor after it paid for a use, and the level that a spell was cast at (0 for what is not cast). */
export interface Spent {
  actor: Actor;
  castLevel: number;
}

/** Pays for one use: a spell slot, a charge, one of a stack, a piece of ammunition. Refuses when there is none. */
export function spend(actor: Actor, item: Item): Spent {
  const charged = item.charges
    ? withItem(actor, { ...item, charges: takeCharge(item, item.charges) })
    : actor;
  const loosed = item.ammunition ? takeOne(charged, item, item.ammunition) : charged;
  const consumed = item.type === 'consumable' && !item.charges ? takeOne(loosed, item, item.name) : loosed;
  if (!item.spell || item.spell.level === 0 || item.charges) return { actor: consumed, castLevel: 0 };
  return spendSlot(consumed, item.name, item.spell);
}

/** Charges after a change, held between 0 and the item's maximum: what would go beyond is lost. */
export function clampCharges(charges: Charges, amount: number): Charges {
  return { ...charges, value: Math.min(charges.max, Math.max(0, charges.value + amount)) };
}

/** Puts an item in the place of the one with its id. */
export function withItem(actor: Actor, item: Item): Actor {
  return { ...actor, items: actor.items.map((old) => (old.id === item.id ? item : old)) };
}

/** SRD 5.1, Spellcasting: Spell Slots. The lowest slot that is high enough, those of pact magic first. */
function spendSlot(actor: Actor, name: string, { level, prepared }: NonNullable<Item['spell']>): Spent {
  if (!prepared) throw new Refusal('not_prepared', `${name} is not prepared`);
  const pact = actor.pactSlots;
  if (pact && pact.value > 0 && pact.level >= level) {
    return { actor: { ...actor, pactSlots: { ...pact, value: pact.value - 1 } }, castLevel: pact.level };
  }
  for (let castLevel = level; castLevel <= 9; castLevel += 1) {
    const slots = actor.spellSlots[castLevel];
    if (!slots || slots.value === 0) continue;
    const spellSlots = { ...actor.spellSlots, [castLevel]: { ...slots, value: slots.value - 1 } };
    return { actor: { ...actor, spellSlots }, castLevel };
  }
  throw new Refusal('no_uses_left', `${actor.name} has no spell slot left for ${name}`);
}

function takeCharge(item: Item, charges: Charges): Charges {
  if (charges.value < 1) throw new Refusal('no_uses_left', `${item.name} has no uses left`);
  return clampCharges(charges, -1);
}

function takeOne(actor: Actor, used: Item, name: string): Actor {
  const stack = actor.items.find((item) => item.name === name && item.quantity > 0);
  if (!stack) throw new Refusal('no_uses_left', `${actor.name} has no ${name} left for ${used.name}`);
  return withItem(actor, { ...stack, quantity: stack.quantity - 1 });
}
