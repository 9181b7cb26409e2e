import type { Actor } from '../../state.ts';

interface ConditionRule {
  /** On its own attacks, ability checks and dexterity saves. */
  attacks?: 'advantage' | 'disadvantage';
  checks?: 'disadvantage';
  dexteritySaves?: 'disadvantage';
  /** On attacks against it. */
  attacked?: 'advantage' | 'disadvantage';
  incapacitated?: true;
  /** Fails strength and dexterity saves without a roll. */
  failsSaves?: true;
}

const helpless = { incapacitated: true, failsSaves: true, attacked: 'advantage' } as const;

/** SRD 5.1, Appendix PH-A: Conditions. Prone is without the part that depends on the attacker's distance. */
const conditionRules: Readonly<Record<string, ConditionRule>> = {
  blinded: { attacks: 'disadvantage', attacked: 'advantage' },
  charmed: {},
  deafened: {},
  frightened: { attacks: 'disadvantage', checks: 'disadvantage' },
  grappled: {},
  incapacitated: { incapacitated: true },
  invisible: { attacks: 'advantage', attacked: 'disadvantage' },
  paralyzed: helpless,
  petrified: helpless,
  poisoned: { attacks: 'disadvantage', checks: 'disadvantage' },
  prone: { attacks: 'disadvantage' },
  restrained: { attacks: 'disadvantage', dexteritySaves: 'disadvantage', attacked: 'advantage' },
  stunned: helpless,
  unconscious: helpless,
};

/** Every condition that there is. */
export const conditionNames: readonly string[] = Object.keys(conditionRules);

/** Whether one of an actor's conditions has this to say. */
export function hasEffect<K extends keyof ConditionRule>(
  actor: Actor,
  key: K,
  value: ConditionRule[K],
): boolean {
  return actor.conditions.some((condition) => conditionRules[condition]?.[key] === value);
}

/** Incapacitated creatures take no actions and lose their concentration. */
export function isIncapacitated(actor: Actor): boolean {
  return actor.life !== 'alive' || hasEffect(actor, 'incapacitated', true);
}

export function withCondition(actor: Actor, condition: string): Actor {
  if (actor.conditions.includes(condition) || actor.conditionImmunities.includes(condition)) return actor;
  return { ...actor, conditions: [...actor.conditions, condition] };
}

export function withoutCondition(actor: Actor, condition: string): Actor {
  return { ...actor, conditions: actor.conditions.filter((name) => name !== condition) };
}
