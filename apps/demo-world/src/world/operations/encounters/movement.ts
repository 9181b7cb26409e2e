import { Refusal } from '../../refusal.ts';
import type { Encounter } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { post, saveEncounter } from '../../transaction.ts';
import { assertGm, findActor, findEncounter, isSeen, owns } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';

export const movement: OperationHandlers<'next-turn' | 'next-round' | 'last-turn' | 'last-round'> = {
  /** A player may end the turn of an actor of theirs. */
  'next-turn'(tx, { encounterId }) {
    const encounter = findEncounter(tx.state, encounterId);
    assertOwnTurn(tx, encounter);
    return { ...move(tx, encounter, nextTurn(encounter)), action: 'nextTurn' };
  },

  'next-round'(tx, { encounterId }) {
    assertGm(tx, 'advance the round');
    const encounter = findEncounter(tx.state, encounterId);
    return { ...move(tx, encounter, { round: encounter.round + 1, turn: 0 }), action: 'nextRound' };
  },

  'last-turn'(tx, { encounterId }) {
    assertGm(tx, 'go back a turn');
    const encounter = findEncounter(tx.state, encounterId);
    return { ...move(tx, encounter, previousTurn(encounter)), action: 'previousTurn' };
  },

  'last-round'(tx, { encounterId }) {
    assertGm(tx, 'go back a round');
    const encounter = findEncounter(tx.state, encounterId);
    return { ...move(tx, encounter, previousRound(encounter)), action: 'previousRound' };
  },
};

interface Position {
  round: number;
  turn: number;
}

/** Past the last combatant the next round begins. */
function nextTurn({ round, turn, combatants }: Encounter): Position {
  return turn + 1 < combatants.length ? { round, turn: turn + 1 } : { round: round + 1, turn: 0 };
}

/** Before the first combatant it is the last turn of the round before; the encounter's start stays. */
function previousTurn({ round, turn, combatants }: Encounter): Position {
  if (turn > 0) return { round, turn: turn - 1 };
  if (round <= 1) return { round, turn };
  return { round: round - 1, turn: Math.max(0, combatants.length - 1) };
}

/** The last turn of the round before; of the first round the start. */
function previousRound({ round, combatants }: Encounter): Position {
  if (round <= 1) return { round, turn: 0 };
  return { round: round - 1, turn: Math.max(0, combatants.length - 1) };
}

function move(tx: Transaction, encounter: Encounter, position: Position) {
  const moved = { ...encounter, ...position };
  const { id, name, round, turn, combatants } = moved;
  const combatant = combatants[turn];
  if (round !== encounter.round || turn !== encounter.turn) {
    saveEncounter(tx, moved);
    const whose = combatant && !combatant.hidden ? `${combatant.name}’s turn` : 'Next turn';
    post(tx, { speaker: name, title: `Round ${round}`, text: whose });
  }
  return {
    encounterId: id,
    currentTurn: turn,
    currentRound: round,
    ...(combatant &&
      isSeen(tx, combatant) && { actorTurn: combatant.actorUuid, tokenTurn: combatant.tokenUuid }),
    encounter: { id, name, round, turn },
  };
}

function assertOwnTurn(tx: Transaction, { combatants, turn }: Encounter): void {
  if (!tx.user || tx.user.isGM) return;
  const combatant = combatants[turn];
  if (combatant && owns(tx.user, findActor(tx.state, combatant))) return;
  throw new Refusal('permission_denied', `It is not the turn of an actor that ${tx.user.name} owns`);
}
