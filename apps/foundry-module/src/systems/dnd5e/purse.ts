import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Actor } from '../../tabletop/documents.ts';
import { findOwnActor } from '../../operations/acting.ts';
import type { SystemHandlers } from '../system.ts';
import { fieldOf, numberOf } from './sheet.ts';

/** Coins and experience. */
export const purse = {
  async 'modify-experience'({ amount, ...reference }, { user }) {
    const actor = await findOwnActor(user, { selected: true, ...reference });
    const oldXp = actor.type === 'character' ? numberOf(actor, 'details.xp.value') : undefined;
    if (oldXp === undefined) {
      throw new OperationRefused(`${actor.name} gains no experience`, 'not_a_character');
    }
    const newXp = Math.max(0, Math.trunc(oldXp + amount));
    await actor.update({ 'system.details.xp.value': newXp });
    return { data: { actorUuid: actor.uuid, oldXp, newXp } };
  },

  async 'modify-currency'({ uuid, currency, amount }, { user }) {
    const actor = await findOwnActor(user, { actorUuid: uuid });
    const previous = purseOf(actor)[currency];
    const current = Math.max(0, previous + amount);
    if (!Number.isSafeInteger(current)) {
      throw new OperationRefused('Coins are counted in whole numbers', 'invalid_data');
    }
    await actor.update({ [`system.currency.${currency}`]: current });
    return { data: { currency, previous, current, delta: amount } };
  },

  async 'transfer-currency'({ currency, ...names }, { user }) {
    const { sourceActorUuid, sourceActorName, targetActorUuid, targetActorName } = names;
    const source = await findOwnActor(user, { actorUuid: sourceActorUuid, actorName: sourceActorName });
    const target = await findOwnActor(user, { actorUuid: targetActorUuid, actorName: targetActorName });
    if (source.uuid === target.uuid) {
      throw new OperationRefused(`${source.name} cannot give coins to themselves`, 'same_actor');
    }
    const [sourceBalance, targetBalance] = [purseOf(source), purseOf(target)];
    for (const coin of coins) {
      const amount = currency[coin] ?? 0;
      if (amount > sourceBalance[coin]) {
        throw new OperationRefused(`${source.name} has ${sourceBalance[coin]} ${coin}`, 'insufficient_funds');
      }
      sourceBalance[coin] -= amount;
      targetBalance[coin] += amount;
    }
    await write([
      [source, sourceBalance],
      [target, targetBalance],
    ]);
    const uuids = { sourceActorUuid: source.uuid, targetActorUuid: target.uuid };
    return { data: { ...uuids, transferred: currency, sourceBalance, targetBalance } };
  },
} satisfies Partial<SystemHandlers>;

const coins = ['pp', 'gp', 'ep', 'sp', 'cp'] as const;

type Purse = Record<(typeof coins)[number], number>;

function purseOf(actor: Actor): Purse {
  if (fieldOf(actor, 'currency') === undefined) {
    throw new OperationRefused(`${actor.name} has no purse`, 'not_supported');
  }
  return Object.fromEntries(coins.map((coin) => [coin, numberOf(actor, `currency.${coin}`) ?? 0])) as Purse;
}

/** Two actors of the world are changed by one request, so that no coin is in both purses or in none. */
async function write(changes: readonly (readonly [Actor, Purse])[]): Promise<void> {
  const isOfWorld = changes.every(([{ parent, pack }]) => parent === null && pack === null);
  if (isOfWorld) {
    const all = changes.map(([{ id }, currency]) => ({ _id: id, 'system.currency': currency }));
    await tabletop.game.actors.documentClass.updateDocuments(all);
    return;
  }
  for (const [actor, currency] of changes) await actor.update({ 'system.currency': currency });
}
