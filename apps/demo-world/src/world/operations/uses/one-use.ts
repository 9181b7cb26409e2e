import { withCondition } from '../../rules/health/conditions.ts';
import type { Roll } from '../../rules/rolls/dice.ts';
import type { Actor, Item } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { post, saveActor } from '../../transaction.ts';
import { findActor } from '../find.ts';

/** One use of something by somebody. */
export interface Use {
  user: Actor;
  item: Item;
  /** Level of the slot it was cast with; 0 for what is not cast. */
  castLevel: number;
  targetUuid: string | null;
  /** The rolls that its caller is told of. */
  rolled: Rolled;
}

interface Rolled {
  roll?: TakenRoll & { isFumble: boolean };
  damageRolls: (TakenRoll & { type: string })[];
}

type TakenRoll = ReturnType<typeof taken>;

/** A roll as tabletops tell it of their own. */
export function taken({ total, formula, dice }: Roll, isCritical: boolean) {
  const told = dice.map(({ faces, results }) => ({
    faces,
    results: results.map(({ value, kept }) => ({ result: value, active: kept })),
  }));
  return { total, formula, isCritical, dice: told };
}

/** The target as it is now; null without one. */
export function targetOf(tx: Transaction, { targetUuid }: Use): Actor | null {
  return targetUuid === null ? null : findActor(tx.state, { actorUuid: targetUuid });
}

/** Shows a message of the user's in the chat, under the item's name unless it has another. */
export function say(
  tx: Transaction,
  { user, item }: Use,
  message: Partial<Parameters<typeof post>[1]>,
): string {
  return post(tx, { speaker: user.name, title: item.name, ...message });
}

/** Puts a condition on the target; a spell that asks for concentration keeps it up only so long. */
export function impose(tx: Transaction, use: Use, condition: string): void {
  const target = targetOf(tx, use);
  if (!target || target.conditions.includes(condition)) return;
  saveActor(tx, withCondition(target, condition));
  const caster = findActor(tx.state, { actorUuid: use.user.uuid });
  const { concentration } = caster;
  if (!concentration || concentration.itemUuid !== use.item.uuid) return;
  const imposed = [...concentration.imposed, { actorUuid: target.uuid, condition }];
  saveActor(tx, { ...caster, concentration: { ...concentration, imposed } });
}
