import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Actor, Roll } from '../../tabletop/documents.ts';
import { findOwnActor } from '../../operations/acting.ts';
import type { SystemHandlers } from '../system.ts';
import { fieldOf, numberOf } from './sheet.ts';
import type { Rolled, Sheet } from './sheet.ts';

/** Checks and saves. */
export const rolls = {
  async 'skill-check'({ skill, actorUuid, ...options }, { user }) {
    const actor = await findOwnActor(user, { actorUuid });
    const roll = await rollOf(actor, 'skill', { ...options, key: skill });
    return { data: { actorUuid: actor.uuid, skill, ...tell(roll) } };
  },

  async 'ability-check'({ ability, actorUuid, ...options }, { user }) {
    const actor = await findOwnActor(user, { actorUuid });
    const roll = await rollOf(actor, 'check', { ...options, key: ability });
    return { data: { actorUuid: actor.uuid, ability, ...tell(roll) } };
  },

  async 'ability-save'({ ability, actorUuid, ...options }, { user }) {
    const actor = await findOwnActor(user, { actorUuid });
    const roll = await rollOf(actor, 'save', { ...options, key: ability });
    return { data: { actorUuid: actor.uuid, ability, ...tell(roll) } };
  },

  async 'death-save'({ actorUuid, ...options }, { user }) {
    const actor = await findOwnActor(user, { actorUuid });
    const before = deathOf(actor);
    if (!before) throw new OperationRefused(`${actor.name} has no death saves`, 'not_supported');
    if ((numberOf(actor, 'attributes.hp.value') ?? 1) > 0) {
      throw new OperationRefused(`${actor.name} is not dying`, 'actor_not_dying');
    }
    const roll = await rollOf(actor, 'death', options);
    // The counts are those of the actor after the roll: the third of a kind sets them back.
    const { success, failure } = deathOf(actor) ?? { success: 0, failure: 0 };
    const isUp = (numberOf(actor, 'attributes.hp.value') ?? 0) > 0;
    const isStable = !isUp && success === 0 && before.success === 2 && failure === before.failure;
    return {
      data: {
        actorUuid: actor.uuid,
        ...tell(roll),
        deathSaves: { success, failure },
        ...(isUp && { healed: true as const }),
        ...(isStable && { stable: true as const }),
      },
    };
  },

  async 'concentration-save'({ actorUuid, actorName, damage, ...options }, { user }) {
    const actor = await findOwnActor(user, { actorUuid, actorName, selected: true });
    const sheet = actor as Sheet;
    const dc = Math.max(10, Math.floor(damage / 2));
    const isConcentrating = sheet.concentration.effects.size > 0;
    const roll = await rollOf(actor, 'concentration', { ...options, target: dc });
    const succeeded = (roll.total ?? 0) >= dc;
    // The roll by itself ends nothing.
    if (isConcentrating && !succeeded) await sheet.endConcentration();
    const maintained = isConcentrating && succeeded;
    return { data: { actorUuid: actor.uuid, dc, ...tell(roll), isConcentrating, maintained } };
  },
} satisfies Partial<SystemHandlers>;

interface DeathSaves {
  success: number;
  failure: number;
}

const deathOf = (actor: Actor): DeathSaves | undefined =>
  fieldOf(actor, 'attributes.death') as DeathSaves | undefined;

interface RollOptions {
  key?: string;
  target?: number;
  advantage?: boolean | undefined;
  disadvantage?: boolean | undefined;
  bonus?: string | undefined;
  createChatMessage?: boolean | undefined;
}

type Kind = keyof typeof methods;

/** Rolls without a dialog. A hook that says no, or a kind of actor without such rolls, is a refusal and never a roll without a total. */
async function rollOf(actor: Actor, kind: Kind, options: RollOptions): Promise<Roll> {
  if (options.bonus !== undefined && !tabletop.Roll.validate(options.bonus)) {
    throw new OperationRefused(`${options.bonus} is no formula of dice`, 'invalid_formula');
  }
  const rolled = await (takesObjects(actor) ? rollByObjects : rollByPosition)(actor as Sheet, kind, options);
  const roll = Array.isArray(rolled) ? rolled[0] : rolled;
  if (roll) return roll;
  throw new OperationRefused(
    `${actor.name} rolled nothing: its kind has no such roll, or another module refused it`,
    'vetoed',
  );
}

/** Since it names checks and saves anew, its rolls take three objects; before that a key and one object. */
const takesObjects = (actor: Actor): boolean => 'rollSavingThrow' in actor;

/** The method of each kind from 4.1 on and before, and how the first one names its key. */
const methods = {
  skill: { now: 'rollSkill', before: 'rollSkill', key: 'skill' },
  check: { now: 'rollAbilityCheck', before: 'rollAbilityTest', key: 'ability' },
  save: { now: 'rollSavingThrow', before: 'rollAbilitySave', key: 'ability' },
  // Before 5.0 these two read their object in the old form unless they are told not to.
  death: { now: 'rollDeathSave', before: 'rollDeathSave', key: undefined },
  concentration: { now: 'rollConcentration', before: 'rollConcentration', key: undefined },
} as const;

function rollByObjects(sheet: Sheet, kind: Kind, options: RollOptions): Promise<Rolled> {
  const { target, advantage = false, disadvantage = false, bonus, createChatMessage = true } = options;
  const { now, key } = methods[kind];
  const config = {
    ...(key === undefined ? { legacy: false } : { [key]: options.key }),
    // Advantage that is given with the roll itself counts in every release; so does a bonus as one of its parts.
    rolls: [{ parts: bonus === undefined ? [] : [bonus], options: { advantage, disadvantage } }],
    ...(target !== undefined && { target }),
  };
  return sheet[now](config, { configure: false }, { create: createChatMessage });
}

function rollByPosition(sheet: Sheet, kind: Kind, options: RollOptions): Promise<Rolled> {
  const { target, advantage = false, disadvantage = false, bonus, createChatMessage = true } = options;
  const { before, key } = methods[kind];
  const given = {
    fastForward: true,
    advantage,
    disadvantage,
    chatMessage: createChatMessage,
    ...(bonus !== undefined && { parts: [bonus] }),
    ...(target !== undefined && { targetValue: target }),
  };
  return key === undefined ? sheet[before](given) : sheet[before](options.key, given);
}

const tell = ({ total, formula, result }: Roll) => ({
  ...(total !== undefined && { total }),
  formula,
  result,
});
