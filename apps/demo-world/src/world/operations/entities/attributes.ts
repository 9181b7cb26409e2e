import { valueAt } from '../../differences.ts';
import { Refusal } from '../../refusal.ts';
import { takeDamage } from '../../rules/health/hit-points.ts';
import { assertLevel, levels } from '../../store/permissions.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';
import { post, saveActor } from '../../transaction.ts';
import { findActor } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';
import { changeOwn } from './documents.ts';
import { targetsOf } from './targets.ts';
import type { TargetReference } from './targets.ts';

export const attributes: OperationHandlers<'increase' | 'decrease' | 'kill'> = {
  increase: (tx, parameters) => step(tx, parameters, parameters.amount),

  decrease: (tx, parameters) => step(tx, parameters, -parameters.amount),

  kill(tx, parameters) {
    const targets = targetsOf(tx, parameters);
    const results = targets.map((target) => {
      assertLevel(tx, target, levels.owner, 'change');
      return { uuid: target.uuid, success: true, message: `${kill(tx, target)} is dead` };
    });
    return { results };
  },
};

type Step = TargetReference & { attribute: string };

function step(tx: Transaction, { attribute, ...reference }: Step, amount: number) {
  const targets = targetsOf(tx, reference);
  const results = targets.map((target) => {
    const oldValue = valueAt(target.data, attribute);
    if (typeof oldValue !== 'number')
      throw new Refusal('invalid_data', `${attribute} of ${target.uuid} is not a number`);
    const newValue = oldValue + amount;
    changeOwn(tx, target, { [attribute]: newValue });
    return { uuid: target.uuid, attribute, oldValue, newValue };
  });
  return { results, success: true };
}

/** Damage that nothing survives. Combatants of the dead are defeated as this step settles. */
function kill(tx: Transaction, { kind, uuid, data }: FoundDocument): string {
  const actorUuid = kind === 'Token' ? data['actorUuid'] : uuid;
  if (typeof actorUuid !== 'string' || (kind !== 'Token' && kind !== 'Actor'))
    throw new Refusal('entity_not_found', `${uuid} is neither a token nor an actor`);
  const actor = findActor(tx.state, { actorUuid });
  if (actor.life === 'dead') return actor.name;
  const { value, max, temp } = actor.hitPoints;
  saveActor(tx, takeDamage(actor, value + max + temp));
  post(tx, { speaker: actor.name, title: `${actor.name} dies` });
  return actor.name;
}
