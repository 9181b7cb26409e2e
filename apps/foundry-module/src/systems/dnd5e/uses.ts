import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { WireParameters } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Actor, Item, Roll, Token, TokenObject } from '../../tabletop/documents.ts';
import { findByUuid, findItem, findOwnActor, isName, notFound, shownScene } from '../../operations/acting.ts';
import type { ActingUser } from '../../operations/acting.ts';
import { tellRoll } from '../../operations/table/told-roll.ts';
import type { SystemHandlers } from '../system.ts';
import { fieldOf, numberOf } from './sheet.ts';
import type { Rolled } from './sheet.ts';

/** Using what an actor has: never with a dialog, which would wait for somebody at this browser. */
export const uses = {
  'use-ability': (parameters, { user }) => use(user, parameters),
  'use-feature': (parameters, { user }) => use(user, parameters, ['feat']),
  'use-spell': (parameters, { user }) => use(user, parameters, ['spell']),
  'use-item': (parameters, { user }) => use(user, parameters, things),
} satisfies Partial<SystemHandlers>;

const things = ['weapon', 'equipment', 'consumable', 'loot', 'tool', 'container'];

type UseParameters = WireParameters<'use-ability'> & Pick<WireParameters<'use-spell'>, 'level'>;

async function use(user: ActingUser, parameters: UseParameters, types?: readonly string[]) {
  const { actorUuid, abilityUuid, abilityName, level, ...target } = parameters;
  const actor = await findOwnActor(user, { actorUuid });
  const item = findItem(actor, { uuid: abilityUuid, name: abilityName }, types) as UsableItem;
  assertAffordable(actor, item, level);
  const release = await aimAt(target);
  try {
    const roll = await ('activities' in item.system ? useActivity : useWhole)(item, level);
    const { uuid } = actor;
    const told = roll && { ...tellRoll(roll), total: roll.total ?? 0 };
    return { data: { uuid, ability: item.name, ...(told && { roll: told }) } };
  } finally {
    release();
  }
}

interface UsableItem extends Item {
  /** Of releases before activities. */
  use(config: object, options: object): Promise<unknown>;
  rollAttack(options: object): Promise<Rolled>;
  readonly hasAttack: boolean;
}

interface Activity {
  readonly type: string;
  readonly canUse?: boolean;
  use(config: object, dialog: object, message: object): Promise<unknown>;
  rollAttack?(config: object, dialog: object, message: object): Promise<Rolled>;
}

/** The first activity that can be used, and its attack where it is one. */
async function useActivity(item: UsableItem, level: number | undefined): Promise<Roll | undefined> {
  const activities = [...(item.system['activities'] as Iterable<Activity>)];
  const activity = activities.find((one) => !('canUse' in one) || one.canUse);
  if (!activity) throw new OperationRefused(`${item.name} has nothing that can be used`, 'not_supported');
  const config = {
    subsequentActions: false,
    create: { measuredTemplate: false },
    ...(level !== undefined && { spell: { slot: `spell${level}` } }),
  };
  const used = await activity.use(config, { configure: false }, { create: true });
  if (!used) throw stopped(item);
  if (activity.type !== 'attack' || !activity.rollAttack) return undefined;
  return firstOf(await activity.rollAttack({}, { configure: false }, { create: true }));
}

/** Releases in which an item is used as a whole. */
async function useWhole(item: UsableItem, level: number | undefined): Promise<Roll | undefined> {
  const config = {
    createMeasuredTemplate: false,
    ...(level !== undefined && { slotLevel: `spell${level}` }),
  };
  const used = await item.use(config, { configureDialog: false, createMessage: true });
  if (!used) throw stopped(item);
  return item.hasAttack ? firstOf(await item.rollAttack({ fastForward: true })) : undefined;
}

const firstOf = (rolled: Rolled): Roll | undefined =>
  (Array.isArray(rolled) ? rolled[0] : rolled) ?? undefined;

const stopped = ({ name }: Item) =>
  new OperationRefused(`${name} was not used: another module or the rules system stopped it`, 'vetoed');

/** What is used up is looked at before: the system tells of what is lacking on the screen alone. */
function assertAffordable(actor: Actor, item: Item, level: number | undefined): void {
  const max = Number(fieldOf(item, 'uses.max')) || 0;
  const spent = numberOf(item, 'uses.spent');
  const left = spent === undefined ? numberOf(item, 'uses.value') : max - spent;
  if (max > 0 && left !== undefined && left <= 0) {
    throw new OperationRefused(`${item.name} has no uses left`, 'no_uses_left');
  }
  const spellLevel = item.type === 'spell' ? (numberOf(item, 'level') ?? 0) : 0;
  if (spellLevel === 0) return;
  const method = fieldOf(item, 'method') ?? fieldOf(item, 'preparation.mode');
  if (typeof method === 'string' && !['spell', 'prepared', 'always'].includes(method)) return;
  const slot = level ?? spellLevel;
  if (slot < spellLevel) {
    throw new OperationRefused(`${item.name} takes a slot of level ${spellLevel}`, 'invalid_parameters');
  }
  if (actor.type === 'npc' || (numberOf(actor, `spells.spell${slot}.value`) ?? 1) > 0) return;
  throw new OperationRefused(`${actor.name} has no slot of level ${slot} left`, 'no_uses_left');
}

/** Aims at a target, and gives back what brings this user's own targets back. Without a canvas nothing is aimed at. */
async function aimAt({
  targetUuid,
  targetName,
}: {
  targetUuid?: string | undefined;
  targetName?: string | undefined;
}): Promise<() => void> {
  if (targetUuid === undefined && targetName === undefined) return () => undefined;
  const token = await targetToken(targetUuid, targetName);
  const before = [...(tabletop.game.user?.targets ?? [])];
  token?.object?.setTarget(true, { releaseOthers: true });
  return () => {
    token?.object?.setTarget(false, { releaseOthers: true });
    for (const target of before) restore(target);
  };
}

const restore = (target: TokenObject): void => target.setTarget(true, { releaseOthers: false });

async function targetToken(uuid: string | undefined, name: string | undefined): Promise<Token | undefined> {
  const scene = shownScene();
  if (uuid === undefined) {
    const named = scene?.tokens.find((one) => isName(one, name));
    if (named) return named;
    const actor = tabletop.game.actors.find((one) => isName(one, name));
    if (!actor) throw notFound('target', name ?? '');
    return scene?.tokens.find((one) => one.actor?.uuid === actor.uuid);
  }
  const found = await findByUuid(uuid);
  if (!found) throw notFound('target', uuid);
  if (found.documentName === 'Token') return found as Token;
  return scene?.tokens.find((one) => one.actor?.uuid === uuid);
}
