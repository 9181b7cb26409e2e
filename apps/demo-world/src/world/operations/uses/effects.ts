import type { Effect } from '../../effect.ts';
import type { Transaction } from '../../transaction.ts';
import { cure, giveCondition, giveTemporary, recover, restore, stabilize } from './aid.ts';
import { attack, dealDamage, forceSave } from './harm.ts';
import type { Use } from './one-use.ts';
import { say } from './one-use.ts';

type EffectOf<K extends Effect['kind']> = Effect & { kind: K };

/** Applies each kind of effect. Each function returns the id of its first chat message. */
const effects: { [K in Effect['kind']]: (tx: Transaction, use: Use, effect: EffectOf<K>) => string } = {
  attack,
  save: forceSave,
  damage: (tx, use, effect) => dealDamage(tx, use, effect.damage),
  heal: restore,
  temporary: (tx, use, effect) => giveTemporary(tx, use, effect.formula),
  condition: (tx, use, effect) => giveCondition(tx, use, effect.condition),
  cure: (tx, use, effect) => cure(tx, use, effect.conditions),
  stabilize,
  'recover-slots': (tx, use, effect) => recover(tx, use, effect.levels),
};

/** Does what an item does and shows it in the chat; returns the id of its first message. */
export function applyEffect(tx: Transaction, use: Use): string {
  const { effect, description } = use.item;
  return effect ? run(tx, use, effect) : say(tx, use, { text: description });
}

function run<K extends Effect['kind']>(tx: Transaction, use: Use, effect: EffectOf<K>): string {
  const kind: K = effect.kind;
  return effects[kind](tx, use, effect);
}
