import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Actor, Effect } from '../../tabletop/documents.ts';
import { version } from '../../versions/version.ts';
import { actorOf, findDocument, notFound } from '../acting.ts';
import { vetoed } from '../call.ts';
import type { SomeHandlers } from '../call.ts';
import { safeData } from '../guards/html.ts';
import { assertChange, assertLevel } from '../permissions.ts';

/** Conditions and effects. */
export const effects = {
  'get-status-effects': () => ({
    data: {
      effects: tabletop.CONFIG.statusEffects.map(({ id, name, img }) => ({
        id,
        name: tabletop.game.i18n.localize(name),
        icon: img ?? null,
      })),
    },
  }),

  async 'get-effects'({ uuid }, { user }) {
    const actor = actorOf(await findDocument(uuid), uuid);
    assertLevel(user, actor, 'LIMITED', 'see');
    const told = actor.effects.map((effect) => ({
      ...tell(effect),
      disabled: effect.disabled,
      duration: effect.toObject()['duration'] ?? {},
      changes: version().effectChanges(effect),
      origin: effect.origin || null,
    }));
    return { data: { uuid, effects: told } };
  },

  async 'add-effect'({ uuid, statusId, effectData, ...more }, { user }) {
    const actor = actorOf(await findDocument(uuid), uuid);
    assertChange(user, actor, 'update');
    if (statusId !== undefined) {
      const effect = await addStatus(actor, statusId);
      return { data: { uuid, effect: effect ? tell(effect) : null } };
    }
    const given = safeData(user, { name: 'Effect', ...effectData }, more);
    const [made] = await actor.createEmbeddedDocuments('ActiveEffect', [
      version().changesOf('ActiveEffect', given),
    ]);
    if (!made) throw vetoed('The effect');
    return { data: { uuid, effect: tell(made as Effect) } };
  },

  async 'remove-effect'({ uuid, effectId, statusId }, { user }) {
    const actor = actorOf(await findDocument(uuid), uuid);
    assertChange(user, actor, 'update');
    const effect = actor.effects.find(({ id, statuses }) =>
      effectId === undefined ? statuses.has(statusId ?? '') : id === effectId,
    );
    if (!effect) throw notFound('effect', `${effectId ?? statusId} on ${actor.name}`);
    const { id } = effect;
    await effect.delete();
    return { data: { uuid, removedEffectId: id } };
  },
} satisfies SomeHandlers;

async function addStatus(actor: Actor, id: string): Promise<Effect | undefined> {
  if (!tabletop.CONFIG.statusEffects.some((one) => one.id === id)) {
    throw new OperationRefused(`This world knows no condition ${id}`, 'unknown_status');
  }
  const has = () => actor.effects.find(({ statuses }) => statuses.has(id));
  if (has()) throw new OperationRefused(`${actor.name} is ${id} already`, 'already_exists');
  const made = await actor.toggleStatusEffect(id, { active: true });
  if (!made) throw new OperationRefused(`${actor.name} cannot be ${id}`, 'immune');
  return has();
}

const tell = ({ id, uuid, name, img, statuses }: Effect) => ({
  id,
  uuid,
  name,
  icon: img || null,
  statuses: [...statuses],
});
