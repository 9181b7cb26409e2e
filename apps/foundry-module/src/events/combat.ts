import { tellCombatant } from '../operations/table/encounters.ts';
import type { Combat, Combatant, Data } from '../tabletop/documents.ts';
import type { HookRuns, Send } from './hook-runs.ts';
import { gameMasters, visibleTo } from './visible-to.ts';

/** Where a fight stands. */
interface Place {
  started: boolean;
  round: number;
  combatantId: string | undefined;
}

const placeOf = ({ started, round, combatant }: Combat): Place => ({
  started,
  round,
  combatantId: combatant?.id,
});

/**
 * Encounters, by the hooks that every browser hears after a change: `combatStart`, `combatTurn` and `combatRound` are heard before it, and where
 * it was made alone.
 */
export function combatHooks(send: Send<'combat'>): HookRuns {
  const places = new Map<string, Place>();

  const tell = (combat: Combat, eventType: string, more: () => Data = () => ({})) => {
    const { id: encounterId, name, round, turn, started } = combat;
    const event = () => ({
      eventType,
      encounterId,
      name,
      round,
      turn,
      started,
      combatants: combat.combatants.map((one) => tellCombatant(one, null)),
      ...more(),
    });
    const hidesSome = combat.combatants.find(({ hidden }) => hidden) !== undefined;
    send(event, hidesSome ? gameMasters() : visibleTo([combat]));
  };

  const moved = (combat: Combat, changes?: Data) => {
    const before = places.get(combat.id);
    const now = placeOf(combat);
    places.set(combat.id, now);
    if (now.started && before?.started === false) return tell(combat, 'start');
    if (before && now.round !== before.round) return tell(combat, 'round');
    if (before && now.combatantId !== before.combatantId) return tell(combat, 'turn');
    if (before || !changes) return changes && tell(combat, 'update', () => ({ changes }));
    // First heard of in the middle of a fight.
    if ('round' in changes) return tell(combat, combat.round === 1 && combat.turn === 0 ? 'start' : 'round');
    return tell(combat, 'turn' in changes ? 'turn' : 'update', () => ({ changes }));
  };

  const joined = (eventType: string) => (combatant: Combatant) => {
    const combat = combatant.parent as Combat | null;
    if (!combat) return;
    tell(combat, eventType, () => ({ combatant: tellCombatant(combatant, null) }));
    places.set(combat.id, placeOf(combat));
  };

  return {
    createCombat: (combat: Combat) => void places.set(combat.id, placeOf(combat)),
    updateCombat: (combat: Combat, changes: Data) => moved(combat, changes),
    // A turn that comes without a change of the encounter itself, as when somebody leaves it.
    combatTurnChange: (combat: Combat) => {
      if (places.has(combat.id) && placeOf(combat).combatantId !== places.get(combat.id)?.combatantId) {
        moved(combat);
      }
    },
    createCombatant: joined('combatant-add'),
    deleteCombatant: joined('combatant-remove'),
    deleteCombat: (combat: Combat) => {
      places.delete(combat.id);
      tell(combat, 'end');
    },
  };
}
