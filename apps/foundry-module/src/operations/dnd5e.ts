import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { CommandContext, Handlers } from '@tabletop-relay/module-sdk';
import { tabletop } from '../tabletop/foundry.ts';
import type { Actor, Roll } from '../tabletop/foundry.ts';
import { actingUser, findOwnActor, selectedTokens } from './acting.ts';

/** The rolls of the system dnd5e, from 3.3 to 6.0. A world of another system refuses them. */
export const dnd5e = {
  'skill-check': async ({ skill, actorUuid, ...options }, context) => {
    const actor = await sheetOf(actorUuid, context);
    const roll = await rollOf(actor, 'skill', { ...options, key: skill });
    return { data: { actorUuid: actor.uuid, skill, ...tell(roll) } };
  },

  'ability-check': async ({ ability, actorUuid, ...options }, context) => {
    const actor = await sheetOf(actorUuid, context);
    const roll = await rollOf(actor, 'check', { ...options, key: ability });
    return { data: { actorUuid: actor.uuid, ability, ...tell(roll) } };
  },

  'ability-save': async ({ ability, actorUuid, ...options }, context) => {
    const actor = await sheetOf(actorUuid, context);
    const roll = await rollOf(actor, 'save', { ...options, key: ability });
    return { data: { actorUuid: actor.uuid, ability, ...tell(roll) } };
  },

  'death-save': async ({ actorUuid, ...options }, context) => {
    const actor = await sheetOf(actorUuid, context);
    const before = attribute(actor, 'death');
    if (!before) throw new OperationRefused(`${actor.name} has no death saves`, 'not_supported');
    if ((attribute(actor, 'hp')?.value ?? 1) > 0) {
      throw new OperationRefused(`${actor.name} is not dying`, 'not_dying');
    }
    const roll = await rollOf(actor, 'death', options);
    // The counts are those of the actor after the roll: the third of a kind sets them back.
    const { success, failure } = attribute(actor, 'death') ?? { success: 0, failure: 0 };
    const isUp = (attribute(actor, 'hp')?.value ?? 0) > 0;
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

  'concentration-save': async ({ actorUuid, actorName, damage, ...options }, context) => {
    const named = tabletop.game.actors.find(({ name }) => name.toLowerCase() === actorName?.toLowerCase());
    const uuid =
      actorUuid ?? named?.uuid ?? (actorName === undefined ? selectedTokens()[0]?.actor?.uuid : undefined);
    if (uuid === undefined) {
      throw new OperationRefused(
        actorName === undefined ? 'Say which actor' : `There is no actor ${actorName}`,
        'entity_not_found',
      );
    }
    const actor = await sheetOf(uuid, context);
    const dc = Math.max(10, Math.floor(damage / 2));
    const isConcentrating = (actor as Sheet).concentration.effects.size > 0;
    const roll = await rollOf(actor, 'concentration', { ...options, target: dc });
    const maintained = (roll.total ?? 0) >= dc;
    if (isConcentrating && !maintained) await (actor as Sheet).endConcentration();
    return { data: { actorUuid: actor.uuid, dc, ...tell(roll), isConcentrating, maintained } };
  },
} satisfies Handlers;

/** What an actor of dnd5e can do; forms and names by release are those of its source. */
interface Sheet extends Actor {
  concentration: { effects: ReadonlySet<unknown> };
  endConcentration(): Promise<unknown>;
  rollSkill(...given: unknown[]): Promise<Rolled>;
  rollAbilityTest(...given: unknown[]): Promise<Rolled>;
  rollAbilityCheck(...given: unknown[]): Promise<Rolled>;
  rollAbilitySave(...given: unknown[]): Promise<Rolled>;
  rollSavingThrow(...given: unknown[]): Promise<Rolled>;
  rollDeathSave(...given: unknown[]): Promise<Rolled>;
  rollConcentration(...given: unknown[]): Promise<Rolled>;
}
type Rolled = Roll | Roll[] | null | undefined;

interface DeathSaves {
  success: number;
  failure: number;
}

interface RollOptions {
  key?: string;
  target?: number;
  advantage?: boolean | undefined;
  disadvantage?: boolean | undefined;
  bonus?: string | undefined;
  createChatMessage?: boolean | undefined;
}

type Kind = keyof typeof methods;

async function sheetOf(uuid: string, context: CommandContext): Promise<Actor> {
  const { system } = tabletop.game;
  if (system.id !== 'dnd5e') {
    throw new OperationRefused(`This world plays ${system.title}, and this needs dnd5e`, 'wrong_system');
  }
  return findOwnActor(actingUser(context), uuid);
}

/** The parts of an actor's data that are read; kinds of actors lack some. */
interface Attributes {
  hp?: { value: number };
  death?: DeathSaves;
}

const attribute = <N extends keyof Attributes>(actor: Actor, name: N): Attributes[N] | undefined => {
  const { attributes = {} } = actor.system as { attributes?: Attributes };
  return name in attributes ? attributes[name] : undefined;
};

/** Rolls without a dialog. A hook that says no, or a kind of actor without such rolls, is a refusal and never a roll without a total. */
async function rollOf(actor: Actor, kind: Kind, options: RollOptions): Promise<Roll> {
  if (options.bonus !== undefined && !tabletop.Roll.validate(options.bonus)) {
    throw new OperationRefused(`${options.bonus} is no formula of dice`, 'invalid_formula');
  }
  const rolled = await (takesObjects() ? rollByObjects : rollByPosition)(actor as Sheet, kind, options);
  const roll = Array.isArray(rolled) ? rolled[0] : rolled;
  if (roll) return roll;
  throw new OperationRefused(
    `${actor.name} rolled nothing: its kind has no such roll, or another module refused it`,
    'vetoed',
  );
}

/** From 4.1 on its rolls take three objects; before that a key and one object. */
function takesObjects(): boolean {
  const [major = 0, minor = 0] = tabletop.game.system.version.split('.').map(Number);
  return major > 4 || (major === 4 && minor >= 1);
}

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
