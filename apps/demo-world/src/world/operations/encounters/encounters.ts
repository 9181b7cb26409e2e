import { encounterDocument } from '../../documents.ts';
import { Refusal } from '../../refusal.ts';
import { rollInitiative, turnOrder } from '../../rules/rolls/initiative.ts';
import { createId } from '../../rules/rolls/random.ts';
import type { Combatant, Encounter, Token } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { post, saveEncounter } from '../../transaction.ts';
import { actorOf, assertGm, findEncounter, findToken, findTokenOf, isSeen, tokensOnCanvas } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';
import { shown } from '../actors/rolls.ts';

const encounterLimit = 20;

export const encounters: OperationHandlers<
  'encounters' | 'start-encounter' | 'end-encounter' | 'add-to-encounter' | 'remove-from-encounter'
> = {
  encounters(tx) {
    const { encounters, currentEncounterId } = tx.state;
    return {
      encounters: encounters
        .map((one) => encounterDocument(one, one.id === currentEncounterId))
        .map((one) => ({ ...one, combatants: one.combatants.map((combatant) => asSeen(tx, combatant)) })),
    };
  },

  'start-encounter'(tx, parameters) {
    assertGm(tx, 'start an encounter');
    if (tx.state.encounters.length >= encounterLimit) {
      throw new Refusal('too_many_encounters', `End one of the ${encounterLimit} encounters first`);
    }
    const { name = 'Encounter', rollAll = false, rollNPC = false } = parameters;
    const combatants = startingTokens(tx, parameters).map((token) => createCombatant(tx, token));
    const rolled = combatants.map((combatant) =>
      rollAll || (rollNPC && isMonster(tx, combatant)) ? withInitiative(tx, combatant) : combatant,
    );
    const encounter: Encounter = {
      id: createId(tx.random),
      name,
      round: 1,
      turn: 0,
      started: true,
      combatants: turnOrder(rolled, tx.state.actors),
      joined: rolled.map(({ id }) => id),
    };
    tx.state = {
      ...tx.state,
      encounters: [...tx.state.encounters, encounter],
      currentEncounterId: encounter.id,
    };
    post(tx, { speaker: name, title: 'The encounter begins', text: `${combatants.length} combatants` });
    return { encounterId: encounter.id, encounter: encounterDocument(encounter, true) };
  },

  'end-encounter'(tx, { encounterId }) {
    assertGm(tx, 'end an encounter');
    const { id, name, round } = findEncounter(tx.state, encounterId);
    const encounters = tx.state.encounters.filter((one) => one.id !== id);
    const current = tx.state.currentEncounterId;
    tx.state = {
      ...tx.state,
      encounters,
      currentEncounterId: current === id ? (encounters.at(-1)?.id ?? null) : current,
    };
    post(tx, {
      speaker: name,
      title: 'The encounter ends',
      text: round === 1 ? 'After 1 round' : `After ${round} rounds`,
    });
    return { encounterId: id, message: `${name} ended` };
  },

  'add-to-encounter'(tx, parameters) {
    assertGm(tx, 'add to an encounter');
    const encounter = findEncounter(tx.state, parameters.encounterId);
    const { found, failed } = chosenTokens(tx, parameters);
    const inIt = new Set(encounter.combatants.map(({ tokenUuid }) => tokenUuid));
    const added = found.filter(({ uuid }) => !inIt.has(uuid));
    const again = found.filter(({ uuid }) => inIt.has(uuid));
    const combatants = added.map((token) => createCombatant(tx, token));
    const rolled = combatants.map((one) => (parameters.rollInitiative ? withInitiative(tx, one) : one));
    if (added.length > 0) {
      const joined = [...encounter.joined, ...rolled.map(({ id }) => id)];
      saveEncounter(tx, reordered(tx, { ...encounter, joined }, [...encounter.combatants, ...rolled]));
    }
    return {
      encounterId: encounter.id,
      added: added.map(({ uuid }) => uuid),
      failed: [...failed, ...again.map(({ uuid }) => ({ uuid, reason: 'Already in the encounter' }))],
    };
  },

  'remove-from-encounter'(tx, parameters) {
    assertGm(tx, 'remove from an encounter');
    const encounter = findEncounter(tx.state, parameters.encounterId);
    const { found, failed } = chosenTokens(tx, parameters);
    const inIt = new Set(encounter.combatants.map(({ tokenUuid }) => tokenUuid));
    const removed = found.map(({ uuid }) => uuid).filter((uuid) => inIt.has(uuid));
    const absent = found.filter(({ uuid }) => !inIt.has(uuid));
    if (removed.length > 0) saveEncounter(tx, without(encounter, new Set(removed)));
    return {
      encounterId: encounter.id,
      removed,
      failed: [...failed, ...absent.map(({ uuid }) => ({ uuid, reason: 'Not in the encounter' }))],
    };
  },
};

/** Rolls initiative and shows it, a hidden combatant's to nobody. */
export function withInitiative(tx: Transaction, combatant: Combatant): Combatant {
  const actor = actorOf(tx.state, findToken(tx.state, combatant.tokenUuid));
  const roll = rollInitiative(actor, tx.random);
  if (!combatant.hidden) post(tx, { speaker: combatant.name, title: 'Initiative', roll: shown(roll) });
  return { ...combatant, initiative: roll.total };
}

/** The encounter with these combatants in turn order; whose turn it is stays so. */
export function reordered(tx: Transaction, encounter: Encounter, combatants: Combatant[]): Encounter {
  const ordered = turnOrder(combatants, tx.state.actors);
  const current = encounter.combatants[encounter.turn]?.id;
  const turn = Math.max(
    0,
    ordered.findIndex(({ id }) => id === current),
  );
  return { ...encounter, combatants: ordered, turn };
}

/** When the one whose turn it is leaves, the next has it; after the last the next round begins. */
function without(encounter: Encounter, tokenUuids: ReadonlySet<string>): Encounter {
  const stays = ({ tokenUuid }: Combatant) => !tokenUuids.has(tokenUuid);
  const combatants = encounter.combatants.filter(stays);
  const turn = encounter.combatants.slice(0, encounter.turn).filter(stays).length;
  if (turn < combatants.length || combatants.length === 0) return { ...encounter, combatants, turn };
  return { ...encounter, combatants, turn: 0, round: encounter.round + 1 };
}

function createCombatant(tx: Transaction, token: Token): Combatant {
  const actor = actorOf(tx.state, token);
  return {
    id: createId(tx.random),
    name: token.name,
    tokenUuid: token.uuid,
    actorUuid: token.actorUuid,
    img: actor.img,
    initiative: null,
    hidden: token.hidden,
    defeated: actor.life === 'dead',
  };
}

function startingTokens(
  tx: Transaction,
  parameters: {
    tokenUuids?: string[] | undefined;
    startWithSelected?: boolean | undefined;
    startWithPlayers?: boolean | undefined;
  },
): Token[] {
  const { tokenUuids = [], startWithSelected, startWithPlayers } = parameters;
  const players = tokensOnCanvas(tx.state).filter((token) => actorOf(tx.state, token).owners.length > 0);
  const tokens = [
    ...tokenUuids.map((uuid) => findTokenOf(tx.state, uuid)),
    ...(startWithSelected ? tx.state.selection.map((uuid) => findToken(tx.state, uuid)) : []),
    ...(startWithPlayers ? players : []),
  ];
  return [...new Set(tokens)];
}

function chosenTokens(
  tx: Transaction,
  { uuids = [], selected = false }: { uuids?: string[] | undefined; selected?: boolean | undefined },
) {
  const wanted = [...new Set([...uuids, ...(selected ? tx.state.selection : [])])];
  const all = tx.state.scenes.flatMap((scene) => scene.tokens);
  // An actor stands for its first token on the canvas, which is why that one is set last.
  const tokens = new Map([
    ...all.map((token) => [token.uuid, token] as const),
    ...tokensOnCanvas(tx.state)
      .toReversed()
      .map((token) => [token.actorUuid, token] as const),
  ]);
  return {
    found: wanted.flatMap((uuid) => tokens.get(uuid) ?? []),
    failed: wanted
      .filter((uuid) => !tokens.has(uuid))
      .map((uuid) => ({ uuid, reason: 'There is no such token' })),
  };
}

function isMonster(tx: Transaction, { tokenUuid }: Combatant): boolean {
  return actorOf(tx.state, findToken(tx.state, tokenUuid)).owners.length === 0;
}

/** Players see that a hidden combatant is there, and nothing of it, so that turn numbers stay true. */
function asSeen(tx: Transaction, combatant: Combatant) {
  if (isSeen(tx, combatant)) return combatant;
  const { id, hidden, defeated } = combatant;
  return { id, name: 'Hidden', img: null, initiative: null, hidden, defeated };
}
