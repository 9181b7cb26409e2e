import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Actor, FoundryDocument } from '../../tabletop/documents.ts';
import { actorOf } from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';
import { assertChange } from '../permissions.ts';
import { change } from './entities.ts';
import { targetsOf } from './targets.ts';
import type { TargetReference } from './targets.ts';

/** Numbers of documents, and death. */
export const attributes = {
  increase: (parameters, { user }) => step(user, parameters, parameters.amount),
  decrease: (parameters, { user }) => step(user, parameters, -parameters.amount),

  async kill(parameters, { user }) {
    const targets = await targetsOf(user, parameters);
    const actors = targets.map((target) => ({ uuid: target.uuid, actor: actorOf(target, target.uuid) }));
    for (const { actor } of actors) assertChange(user, actor, 'update');
    const results = [];
    for (const { uuid, actor } of actors) {
      await kill(actor);
      results.push({ uuid, success: true, message: `${actor.name} is dead` });
    }
    return { results };
  },
} satisfies SomeHandlers;

type Step = TargetReference & { attribute: string };

async function step(user: ActingUser, { attribute, ...reference }: Step, amount: number) {
  const targets = await targetsOf(user, reference);
  for (const target of targets) assertChange(user, target, 'update');
  const steps = targets.map((target) => {
    const oldValue = numberAt(target, attribute);
    return { target, oldValue, newValue: oldValue + amount };
  });
  const results = [];
  for (const { target, oldValue, newValue } of steps) {
    await change(user, target, { [attribute]: newValue });
    results.push({ uuid: target.uuid, attribute, oldValue, newValue });
  }
  return { results, success: true };
}

function numberAt(target: FoundryDocument, path: string): number {
  const value = tabletop.foundry.utils.getProperty(target.toObject(), path);
  if (typeof value === 'number') return value;
  throw new OperationRefused(`${path} of ${target.uuid} is not a number`, 'invalid_data');
}

/** Hit points where the system keeps them as most do, the mark of the dead, and the place in the fight. */
async function kill(actor: Actor): Promise<void> {
  const { CONFIG, foundry, game } = tabletop;
  const data = actor.toObject();
  const points = ['system.attributes.hp.value', 'system.attributes.hp.temp', 'system.hp.value'];
  const gone = points.filter((path) => typeof foundry.utils.getProperty(data, path) === 'number');
  if (gone.length > 0) await actor.update(Object.fromEntries(gone.map((path) => [path, 0])));
  await actor.toggleStatusEffect(CONFIG.specialStatusEffects.DEFEATED, { active: true, overlay: true });
  for (const combat of game.combats) {
    const fighting = combat.combatants.filter((one) => one.actor?.uuid === actor.uuid && !one.isDefeated);
    const changes = fighting.map(({ id }) => ({ _id: id, defeated: true }));
    if (changes.length > 0) await combat.updateEmbeddedDocuments('Combatant', changes);
  }
}
