import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Combat, Combatant, Token } from '../../tabletop/documents.ts';
import {
  assertMaster,
  findCombat,
  findToken,
  isMaster,
  notFound,
  selectedTokens,
  shownScene,
} from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';

export const encounters = {
  encounters(_parameters, call) {
    const user = call.user;
    const { combats, combat } = tabletop.game;
    return {
      encounters: combats.map((one) => ({ ...tellCombat(one, user), current: one.id === combat?.id })),
    };
  },

  async 'start-encounter'({ name, rollAll, rollNPC, ...wanted }, call) {
    assertMaster(call.user, 'start an encounter');
    const tokens = await startingTokens(wanted);
    const scene = tokens[0]?.parent ?? shownScene();
    const made = await tabletop.Combat.create({ scene: scene?.id ?? null, active: true });
    if (!made) throw vetoed('The encounter');
    await made.activate();
    const added = await addTokens(made, tokens);
    const rolled = rollAll ? added : rollNPC ? added.filter((one) => !one.actor?.hasPlayerOwner) : [];
    if (rolled.length > 0) await made.rollInitiative(rolled.map(({ id }) => id));
    await made.startCombat();
    return {
      encounterId: made.id,
      encounter: { ...tellCombat(made, null), ...(name !== undefined && { name }) },
    };
  },

  async 'end-encounter'({ encounterId }, call) {
    assertMaster(call.user, 'end an encounter');
    const combat = findCombat(encounterId);
    const { id } = combat;
    // `endCombat` would ask a person first.
    await combat.delete();
    return { encounterId: id, message: 'The encounter has ended' };
  },

  'next-turn': ({ encounterId }, call) => step(encounterId, 'nextTurn', call.user),
  'next-round': ({ encounterId }, call) => step(encounterId, 'nextRound', call.user),
  'last-turn': ({ encounterId }, call) => step(encounterId, 'previousTurn', call.user),
  'last-round': ({ encounterId }, call) => step(encounterId, 'previousRound', call.user),

  async 'add-to-encounter'({ encounterId, rollInitiative, ...wanted }, call) {
    assertMaster(call.user, 'add to an encounter');
    const combat = findCombat(encounterId);
    const { found, failed } = await chosenTokens(wanted);
    const again = found.filter((token) => combatantOf(combat, token));
    const added = await addTokens(
      combat,
      found.filter((token) => !again.includes(token)),
    );
    if (rollInitiative && added.length > 0) await combat.rollInitiative(added.map(({ id }) => id));
    return {
      encounterId: combat.id,
      added: added.flatMap(({ token }) => token?.uuid ?? []),
      failed: [...failed, ...again.map(({ uuid }) => ({ uuid, reason: 'Already in the encounter' }))],
    };
  },

  async 'remove-from-encounter'({ encounterId, ...wanted }, call) {
    assertMaster(call.user, 'remove from an encounter');
    const combat = findCombat(encounterId);
    const { found, failed } = await chosenTokens(wanted);
    const pairs = found.map((token) => ({ uuid: token.uuid, id: combatantOf(combat, token)?.id }));
    const ids = pairs.flatMap(({ id }) => id ?? []);
    if (ids.length > 0) await combat.deleteEmbeddedDocuments('Combatant', ids);
    return {
      encounterId: combat.id,
      removed: pairs.filter(({ id }) => id !== undefined).map(({ uuid }) => uuid),
      failed: [
        ...failed,
        ...pairs
          .filter(({ id }) => id === undefined)
          .map(({ uuid }) => ({ uuid, reason: 'Not in the encounter' })),
      ],
    };
  },
} satisfies SomeHandlers;

type Step = 'nextTurn' | 'nextRound' | 'previousTurn' | 'previousRound';

/** Goes a step. Players may end the turn of an actor of theirs, as in the tabletop, and nothing else. */
async function step<S extends Step>(id: string | undefined, action: S, user: ActingUser) {
  const combat = findCombat(id);
  const actor = combat.combatant?.actor;
  const isOwnTurn = action === 'nextTurn' && user !== null && actor?.testUserPermission(user, 'OWNER');
  if (!isOwnTurn) assertMaster(user, 'change the turn');
  await combat[action]();
  const { round, turn, combatant } = combat;
  const isSeen = combatant?.hidden !== true || isMaster(user);
  return {
    encounterId: combat.id,
    action,
    currentTurn: turn,
    currentRound: round,
    ...(isSeen && combatant?.actor && { actorTurn: combatant.actor.uuid }),
    ...(isSeen && combatant?.token && { tokenTurn: combatant.token.uuid }),
    encounter: { id: combat.id, name: combat.name, round, turn },
  };
}

function tellCombat(combat: Combat, user: ActingUser) {
  const { id, name, round, turn } = combat;
  return { id, name, round, turn, combatants: combat.combatants.map((one) => tellCombatant(one, user)) };
}

/** Players learn that a hidden combatant is there, and nothing of it, so that numbers of turns stay true. */
export function tellCombatant(combatant: Combatant, user: ActingUser) {
  const { id, hidden, isDefeated: defeated } = combatant;
  if (hidden && !isMaster(user)) return { id, name: 'Hidden', img: null, initiative: null, hidden, defeated };
  const { name, token, actor, img, initiative } = combatant;
  return {
    id,
    name,
    ...(token && { tokenUuid: token.uuid }),
    ...(actor && { actorUuid: actor.uuid }),
    img,
    initiative,
    hidden,
    defeated,
  };
}

const combatantOf = (combat: Combat, token: Token): Combatant | undefined =>
  combat.combatants.find(({ tokenId, sceneId }) => tokenId === token.id && sceneId === token.parent.id);

async function addTokens(combat: Combat, tokens: readonly Token[]): Promise<Combatant[]> {
  if (tokens.length === 0) return [];
  const data = tokens.map((token) => ({
    tokenId: token.id,
    sceneId: token.parent.id,
    actorId: token.actorId,
    hidden: token.hidden,
  }));
  return combat.createEmbeddedDocuments('Combatant', data);
}

interface Wanted {
  uuids?: string[];
  tokenUuids?: string[];
  selected?: boolean;
  startWithSelected?: boolean;
  startWithPlayers?: boolean;
}

async function startingTokens({
  tokenUuids = [],
  startWithSelected,
  startWithPlayers,
}: Wanted): Promise<Token[]> {
  const named = await Promise.all(
    tokenUuids.map(async (uuid) => {
      const token = await findToken(uuid);
      if (!token) throw notFound('token', uuid);
      return token;
    }),
  );
  const players = shownScene()?.tokens.filter(({ actor }) => actor?.hasPlayerOwner === true) ?? [];
  return unique([
    ...named,
    ...(startWithSelected ? selectedTokens() : []),
    ...(startWithPlayers ? players : []),
  ]);
}

async function chosenTokens({ uuids = [], selected = false }: Wanted) {
  const named = await Promise.all(uuids.map(async (uuid) => ({ uuid, token: await findToken(uuid) })));
  return {
    found: unique([...named.flatMap(({ token }) => token ?? []), ...(selected ? selectedTokens() : [])]),
    failed: named
      .filter(({ token }) => !token)
      .map(({ uuid }) => ({ uuid, reason: 'There is no such token' })),
  };
}

const unique = (tokens: Token[]): Token[] => [
  ...new Map(tokens.map((token) => [token.uuid, token])).values(),
];

const vetoed = (what: string) =>
  new OperationRefused(`${what} was refused by another module or the rules system`, 'vetoed');
