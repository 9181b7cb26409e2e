import { differences } from '../../differences.ts';
import { actorDocument, idOf, itemDocument } from '../../documents.ts';
import type { Rested } from '../../rules/health/rests.ts';
import { takeLongRest, takeShortRest } from '../../rules/health/rests.ts';
import type { Actor } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { post, saveActor } from '../../transaction.ts';
import { findOwnActor } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';
import { told } from './rolls.ts';

export const rests: OperationHandlers<'short-rest' | 'long-rest'> = {
  /** Hit dice are the player's choice: without `autoHD` none are spent, and with it all that are of use. */
  'short-rest'(tx, parameters) {
    const actor = findOwnActor(tx, parameters);
    const spendBelow = parameters.autoHD ? (parameters.autoHDThreshold ?? 1) : 0;
    const rested = takeShortRest(actor, spendBelow, tx.random);
    finish(tx, actor, rested, 'Short rest');
    return {
      data: {
        actorUuid: actor.uuid,
        result: { type: 'short', ...outcome(actor, rested), newDay: false, longRest: false },
      },
    };
  },

  'long-rest'(tx, parameters) {
    const { newDay = true } = parameters;
    const actor = findOwnActor(tx, parameters);
    // SRD 5.1, Adventuring: at 0 hit points there is no benefit. A rules system stops such a rest without a word.
    if (actor.life !== 'dead' && actor.hitPoints.value === 0)
      return { data: { actorUuid: actor.uuid, result: { completed: true } } };
    const rested = takeLongRest(actor, newDay, tx.random);
    finish(tx, actor, rested, 'Long rest');
    return {
      data: {
        actorUuid: actor.uuid,
        result: { type: 'long', ...outcome(actor, rested), newDay, longRest: true },
      },
    };
  },
};

function finish(tx: Transaction, before: Actor, { actor, rolls }: Rested, title: string): void {
  saveActor(tx, actor);
  const { dhp, dhd } = gains(before, actor);
  const [roll] = rolls;
  post(tx, {
    speaker: actor.name,
    title,
    text: `${dhp} hit points regained, ${Math.abs(dhd)} hit dice ${dhd < 0 ? 'spent' : 'regained'}`,
    ...(roll && rolls.length === 1 && { roll }),
  });
}

function outcome(before: Actor, { actor, rolls }: Rested) {
  const { dhp, dhd } = gains(before, actor);
  return {
    deltas: { hitPoints: dhp, hitDice: dhd },
    updateData: {
      _id: idOf(actor.uuid),
      ...differences(actorDocument(before), actorDocument(actor)),
    },
    updateItems: actor.items
      .filter((item, index) => item !== before.items[index])
      .map((item) => ({ _id: item.id, 'system.uses.value': item.charges?.value })),
    rolls: rolls.map(told),
    clone: { ...actorDocument(before), items: before.items.map((item) => itemDocument(item)) },
    dhd,
    dhp,
  };
}

function gains(before: Actor, after: Actor) {
  return {
    dhp: after.hitPoints.value - before.hitPoints.value,
    dhd: before.hitDice.spent - after.hitDice.spent,
  };
}
