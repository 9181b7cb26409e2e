import type { Actor, Item, Skill } from '../state.ts';
import type { Ability } from '../ability.ts';

/** Ability of each skill (SRD 5.1, Using Ability Scores: Skills). */
export const skillAbilities: Readonly<Record<Skill, Ability>> = {
  acr: 'dex', ani: 'wis', arc: 'int', ath: 'str', dec: 'cha', his: 'int', ins: 'wis', itm: 'cha', inv: 'int',
  med: 'wis', nat: 'int', prc: 'wis', prf: 'cha', per: 'cha', rel: 'int', slt: 'dex', ste: 'dex', sur: 'wis',
}; // prettier-ignore

/** The full names, for chat and page. */
export const skillNames: Readonly<Record<Skill, string>> = {
  acr: 'Acrobatics', ani: 'Animal Handling', arc: 'Arcana', ath: 'Athletics', dec: 'Deception',
  his: 'History', ins: 'Insight', itm: 'Intimidation', inv: 'Investigation', med: 'Medicine',
  nat: 'Nature', prc: 'Perception', prf: 'Performance', per: 'Persuasion', rel: 'Religion',
  slt: 'Sleight of Hand', ste: 'Stealth', sur: 'Survival',
}; // prettier-ignore

export const abilityNames: Readonly<Record<Ability, string>> = {
  str: 'Strength',
  dex: 'Dexterity',
  con: 'Constitution',
  int: 'Intelligence',
  wis: 'Wisdom',
  cha: 'Charisma',
};

/**
 * The items of an actor that take effect: equipped, and attuned where the item asks for it (SRD 5.1, Magic Items:
 * Attunement).
 */
export function activeItems(actor: Actor): Item[] {
  return actor.items.filter(
    (item) => item.equipped && (!item.attunement.required || item.attunement.attuned),
  );
}

/** An ability score, with what worn items set it to where that is higher. */
export function abilityScore(actor: Actor, ability: Ability): number {
  const set = activeItems(actor).map((item) => item.worn?.scores?.[ability] ?? 0);
  return Math.max(actor.abilities[ability].score, ...set);
}

/** SRD 5.1, Using Ability Scores: Ability Scores and Modifiers. */
export function abilityModifier(actor: Actor, ability: Ability): number {
  return Math.floor((abilityScore(actor, ability) - 10) / 2);
}

/** SRD 5.1, Beyond 1st Level: by level; Monsters: Proficiency Bonus by Challenge Rating. */
export function proficiencyBonus(actor: Actor): number {
  const rank = actor.level > 0 ? actor.level : Math.max(1, actor.challenge ?? 0);
  return 2 + Math.floor((rank - 1) / 4);
}

/** Ability modifier plus the proficiency bonus, twice with expertise (SRD 5.1, Rogue: Expertise). */
export function skillModifier(actor: Actor, skill: Skill): number {
  return abilityModifier(actor, skillAbilities[skill]) + (actor.skills[skill] ?? 0) * proficiencyBonus(actor);
}

/** SRD 5.1, Using Ability Scores: Saving Throws; rings and cloaks of protection add to it. */
export function saveModifier(actor: Actor, ability: Ability): number {
  const proficiency = actor.abilities[ability].saveProficient ? proficiencyBonus(actor) : 0;
  const worn = activeItems(actor).reduce((sum, item) => sum + (item.worn?.saves ?? 0), 0);
  return abilityModifier(actor, ability) + proficiency + worn;
}

/** SRD 5.1, Spellcasting: 8 + proficiency bonus + spellcasting ability modifier. */
export function spellSaveDc(actor: Actor): number {
  return 8 + proficiencyBonus(actor) + spellModifier(actor);
}

/** The modifier of the spellcasting ability; 0 for those without one. */
export function spellModifier(actor: Actor): number {
  return actor.spellcasting ? abilityModifier(actor, actor.spellcasting) : 0;
}

/** Whether an actor has a feature, by its name in the rules. */
export function hasFeature(actor: Actor, name: string): boolean {
  return actor.items.some((item) => item.type === 'feat' && item.name === name);
}

/** Whether a 1 on the d20 is rolled again (SRD 5.1, Races: Halfling, Lucky). */
export function isLucky(actor: Actor): boolean {
  return /halfling/i.test(actor.race);
}
