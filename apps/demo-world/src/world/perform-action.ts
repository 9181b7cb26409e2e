import type { WorldAction } from './actions.ts';
import { Refusal } from './refusal.ts';
import { rollFormula } from './rules/rolls/dice.ts';
import { heal } from './rules/health/hit-points.ts';
import { hurt } from './operations/uses/harm.ts';
import { reordered, withInitiative } from './operations/encounters/encounters.ts';
import { findActor, findToken } from './operations/find.ts';
import { operationHandlers } from './operations/index.ts';
import { assertInside, sceneOf } from './operations/scenes/places.ts';
import { isOperation, readParameters } from './operations/parameters.ts';
import { isSlow } from './operations/slow.ts';
import { shown } from './operations/actors/rolls.ts';
import type { Combatant, Encounter } from './state.ts';
import type { Transaction } from './transaction.ts';
import { gameMaster, post, saveActor, saveEncounter, saveToken, showScene } from './transaction.ts';

/** Carries out an action from the page within a step. */
export function performAction(tx: Transaction, action: WorldAction): void {
  switch (action.kind) {
    case 'operation':
      return operate(tx, action.name, action.parameters);
    case 'move-token':
      return moveToken(tx, action);
    case 'hide-token':
      return hideToken(tx, action.tokenUuid, action.hidden);
    case 'select':
      return select(tx, action.tokenUuids);
    case 'roll':
      return roll(tx, action.formula, action.actorUuid);
    case 'damage':
      return damage(tx, action.actorUuid, action.amount);
    case 'roll-initiative':
      return changeCombatant(tx, action.combatantId, (combatant) => withInitiative(tx, combatant));
    case 'set-defeated':
      return changeCombatant(tx, action.combatantId, (one) => ({ ...one, defeated: action.defeated }));
    case 'activate-scene':
      return activateScene(tx, action.sceneId);
    case 'say':
      post(tx, { speaker: gameMaster(tx.state).name, title: 'says', text: action.text });
  }
}

function operate(tx: Transaction, name: string, parameters: unknown): void {
  if (!isOperation(name)) throw new Refusal('not_supported', `There is no operation ${name}`);
  if (isSlow(name)) throw new Refusal('not_supported', `The page cannot ask for ${name}`);
  const handler = operationHandlers[name] as (tx: Transaction, parameters: unknown) => unknown;
  handler(tx, readParameters(name, parameters));
}

function moveToken(tx: Transaction, { tokenUuid, x, y }: { tokenUuid: string; x: number; y: number }): void {
  const token = findToken(tx.state, tokenUuid);
  assertInside(sceneOf(tx.state, token), token, { x, y });
  saveToken(tx, { ...token, x, y });
}

/** A combatant is hidden with its token. */
function hideToken(tx: Transaction, tokenUuid: string, hidden: boolean): void {
  saveToken(tx, { ...findToken(tx.state, tokenUuid), hidden });
  for (const encounter of tx.state.encounters) {
    if (!encounter.combatants.some((one) => one.tokenUuid === tokenUuid)) continue;
    const combatants = encounter.combatants.map((one) =>
      one.tokenUuid === tokenUuid ? { ...one, hidden } : one,
    );
    saveEncounter(tx, { ...encounter, combatants });
  }
}

function select(tx: Transaction, tokenUuids: readonly string[]): void {
  for (const uuid of tokenUuids) findToken(tx.state, uuid);
  tx.state = { ...tx.state, selection: [...new Set(tokenUuids)] };
}

function roll(tx: Transaction, formula: string, actorUuid: string | undefined): void {
  const speaker =
    actorUuid === undefined ? gameMaster(tx.state).name : findActor(tx.state, { actorUuid }).name;
  post(tx, { speaker, title: 'Roll', roll: shown(rollFormula(formula, tx.random)) });
}

function damage(tx: Transaction, actorUuid: string, amount: number): void {
  const actor = findActor(tx.state, { actorUuid });
  if (amount < 0) saveActor(tx, heal(actor, -amount));
  else hurt(tx, actor, amount);
}

function changeCombatant(tx: Transaction, id: string, change: (one: Combatant) => Combatant): void {
  const holds = ({ combatants }: Encounter) => combatants.some((one) => one.id === id);
  const encounter = tx.state.encounters.find(holds);
  if (!encounter) throw new Refusal('entity_not_found', `There is no combatant ${id}`);
  const combatants = encounter.combatants.map((one) => (one.id === id ? change(one) : one));
  saveEncounter(tx, reordered(tx, encounter, combatants));
}

function activateScene(tx: Transaction, sceneId: string): void {
  if (!tx.state.scenes.some(({ id }) => id === sceneId)) {
    throw new Refusal('entity_not_found', `There is no scene ${sceneId}`);
  }
  showScene(tx, sceneId);
}
