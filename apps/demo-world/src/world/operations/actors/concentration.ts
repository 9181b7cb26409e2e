import { concentrationDocument } from '../../documents.ts';
import { concentrationDc, endConcentration } from '../../rules/health/concentration.ts';
import type { D20Options } from '../../rules/rolls/d20.ts';
import { rollSave } from '../../rules/rolls/saving-throws.ts';
import type { Actor } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { post, saveActor } from '../../transaction.ts';
import { findOwnActor } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';
import { announce, told, withOutcome } from './rolls.ts';

export const concentration: OperationHandlers<
  'get-concentration' | 'break-concentration' | 'concentration-save'
> = {
  'get-concentration'(tx, parameters) {
    const actor = findOwnActor(tx, parameters);
    const { uuid, concentration } = actor;
    return {
      data: {
        actorUuid: uuid,
        isConcentrating: concentration !== null,
        effect: concentration && concentrationDocument(actor, concentration),
        spell: concentration?.spell ?? null,
      },
    };
  },

  'break-concentration'(tx, parameters) {
    const actor = findOwnActor(tx, parameters);
    const { uuid, name, concentration } = actor;
    if (!concentration) return { data: { actorUuid: uuid, broken: false } };
    saveActor(tx, endConcentration(actor));
    post(tx, { speaker: name, title: 'Concentration ends', text: concentration.spell });
    return { data: { actorUuid: uuid, broken: true, removedEffectId: concentration.id } };
  },

  'concentration-save'(tx, parameters) {
    const actor = findOwnActor(tx, parameters);
    const { roll, dc, maintained } = keepConcentration(tx, actor, parameters.damage, parameters);
    const isConcentrating = actor.concentration !== null;
    return { data: { actorUuid: actor.uuid, dc, ...told(roll), isConcentrating, maintained } };
  },
};

/**
 * Rolls the save that damage asks for; a failed one ends the concentration (SRD 5.1, Spellcasting: Concentration).
 * Without concentration it is rolled all the same, and nothing is maintained.
 */
export function keepConcentration(
  tx: Transaction,
  actor: Actor,
  damage: number,
  options: D20Options & { createChatMessage?: boolean | undefined } = {},
) {
  const dc = concentrationDc(damage);
  const roll = rollSave(actor, 'con', options, tx.random);
  const { concentration } = actor;
  const success = roll.total >= dc;
  const maintained = concentration !== null && success;
  if (concentration && !maintained) saveActor(tx, endConcentration(actor));
  announce(tx, options, {
    speaker: actor.name,
    title: 'Concentration save',
    text: concentration ? `${concentration.spell}: DC ${dc}, ${success ? 'kept' : 'lost'}` : `DC ${dc}`,
    roll: withOutcome(roll, success),
  });
  return { roll, dc, maintained };
}
