import { abilityModifier, activeItems, hasFeature } from './abilities.ts';
import type { Actor } from '../state.ts';

/**
 * SRD 5.1, Equipment: Armor. Light armor adds dexterity, medium at most 2 of it, heavy none; without armor 10 plus
 * dexterity. A shield, the Defense fighting style (in armor) and worn magic add to it. A monster's is in its stat
 * block.
 */
export function armorClass(actor: Actor): number {
  if (actor.naturalArmor !== null) return actor.naturalArmor;
  const items = activeItems(actor);
  const armor = items.find((item) => item.armor && item.armor.kind !== 'shield')?.armor;
  const shield = items.find((item) => item.armor?.kind === 'shield')?.armor?.value ?? 0;
  const defense = armor && hasFeature(actor, 'Fighting Style: Defense') ? 1 : 0;
  const worn = items.reduce((sum, item) => sum + (item.worn?.armorClass ?? 0), 0);
  return bodyArmor(armor, abilityModifier(actor, 'dex')) + shield + defense + worn;
}

/** Whether what it wears makes noise: disadvantage on stealth (SRD 5.1, Equipment: Armor, Stealth). */
export function wearsNoisyArmor(actor: Actor): boolean {
  return activeItems(actor).some((item) => item.armor?.noisy);
}

function bodyArmor(armor: { kind: string; value: number } | undefined, dexterity: number): number {
  if (!armor) return 10 + dexterity;
  if (armor.kind === 'heavy') return armor.value;
  return armor.value + (armor.kind === 'medium' ? Math.min(2, dexterity) : dexterity);
}
