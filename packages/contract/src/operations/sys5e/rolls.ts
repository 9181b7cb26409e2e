import { Type } from 'typebox';
import { command } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { actorUuid, deathSaveOptions, rollOptions, rollResult } from '../parameters.ts';

// prettier-ignore
const skills = {
  acr: 'Acrobatics', ani: 'Animal Handling', arc: 'Arcana', ath: 'Athletics', dec: 'Deception', his: 'History',
  ins: 'Insight', itm: 'Intimidation', inv: 'Investigation', med: 'Medicine', nat: 'Nature', prc: 'Perception',
  prf: 'Performance', per: 'Persuasion', rel: 'Religion', slt: 'Sleight of Hand', ste: 'Stealth', sur: 'Survival',
} as const;

const abilities = {
  str: 'Strength',
  dex: 'Dexterity',
  con: 'Constitution',
  int: 'Intelligence',
  wis: 'Wisdom',
  cha: 'Charisma',
} as const;

/** One of the names' abbreviations. The description has both, for people who know the name only. */
function abbreviationOf<Name extends string>(what: string, names: Readonly<Record<Name, string>>) {
  const listed = Object.entries(names).map(([short, name]) => `\`${short}\` ${String(name)}`);
  const description = `${what}: ${listed.join(', ')}.`;
  return Type.Enum(Object.keys(names) as Name[], { description });
}

const reasons = ['entity_not_found', 'permission_denied'] as const;

/** A saving throw and an ability check are asked for and answered alike. */
const abilityRoll = (summary: string, description: string) =>
  command({
    summary,
    description,
    scope: 'roll:execute',
    effect: 'adds',
    parameters: {
      actorUuid,
      ability: abbreviationOf('The ability', abilities),
      ...rollOptions,
    },
    result: Type.Object({
      data: Type.Object({ actorUuid: Type.String(), ability: Type.String(), ...rollResult }),
    }),
    reasons: [...reasons, 'invalid_formula'],
    example: {
      parameters: { actorUuid: 'Actor.borin', ability: 'wis', advantage: true },
      result: {
        data: {
          actorUuid: 'Actor.borin',
          ability: 'wis',
          total: 20,
          formula: '2d20kh + 6',
          result: '14 + 6',
        },
      },
    },
  });

export const rolls = {
  'skill-check': command({
    summary: 'Roll a skill check',
    scope: 'roll:execute',
    effect: 'adds',
    parameters: {
      actorUuid,
      skill: abbreviationOf('The skill', skills),
      ...rollOptions,
    },
    result: Type.Object({
      data: Type.Object({ actorUuid: Type.String(), skill: Type.String(), ...rollResult }),
    }),
    reasons: [...reasons, 'invalid_formula'],
    example: {
      parameters: { actorUuid: 'Actor.mira', skill: 'prc' },
      result: {
        data: { actorUuid: 'Actor.mira', skill: 'prc', total: 19, formula: '1d20 + 5', result: '14 + 5' },
      },
    },
  }),
  'ability-save': abilityRoll('Roll a saving throw', 'Proficiency counts where the actor has it.'),
  'ability-check': abilityRoll('Roll a raw ability check', 'No skill counts; for those use `skill-check`.'),
  'death-save': command({
    summary: 'Roll a death saving throw',
    description:
      'DC 10. Three successes stabilise, three failures kill; a natural 20 heals, a natural 1 counts as two failures. One who is not dying is refused. Today’s modules answer without a roll then, and never say `stable` or `healed`.',
    scope: 'roll:execute',
    effect: 'changes',
    parameters: { actorUuid, ...deathSaveOptions },
    result: Type.Object({
      data: Type.Object({
        actorUuid: Type.String(),
        ...rollResult,
        deathSaves: Type.Object({ success: Type.Number(), failure: Type.Number() }),
        stable: Type.Optional(
          Type.Literal(true, { description: 'The third success: the actor is stable, its counts are 0.' }),
        ),
        healed: Type.Optional(
          Type.Literal(true, { description: 'A natural 20: it has a hit point, its counts are 0.' }),
        ),
      }),
    }),
    reasons: [...reasons, 'actor_not_dying', 'actor_dead'],
    example: {
      parameters: { actorUuid: 'Actor.theron' },
      result: {
        data: {
          actorUuid: 'Actor.theron',
          total: 12,
          formula: '1d20',
          result: '12',
          deathSaves: { success: 1, failure: 0 },
        },
      },
    },
  }),
} as const satisfies OperationDefinitions;
