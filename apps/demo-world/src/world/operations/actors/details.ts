import { abilityModifier, abilityScore, proficiencyBonus } from '../../rules/abilities.ts';
import { armorClass } from '../../rules/armor.ts';
import type { Actor } from '../../state.ts';

/** The answer to `details: ["stats"]`, by the names that today's modules give. This world has no exhaustion and no inspiration. */
export function statsOf(actor: Actor) {
  const { name, img, uuid, level, hitPoints, speedFeet, deathSaves, currency } = actor;
  return {
    name,
    img,
    uuid,
    level,
    profBonus: proficiencyBonus(actor),
    ac: armorClass(actor),
    hp: hitPoints,
    speed: speedFeet,
    initBonus: abilityModifier(actor, 'dex'),
    deathSaves,
    encumbrance: { value: carriedPounds(actor), max: poundsPerStrength * abilityScore(actor, 'str') },
    currency,
  };
}

/** The answer to `details: ["details"]`. */
export function characterOf({ race, background, className, alignment }: Actor) {
  return { race, background, class: className, alignment };
}

const poundsPerStrength = 15;

const carriedPounds = ({ items }: Actor): number =>
  items.reduce((sum, { quantity, weightPounds }) => sum + quantity * weightPounds, 0);
