import type { Effect, Item } from '../../tabletop/documents.ts';
import { findOwnActor } from '../../operations/acting.ts';
import type { SystemHandlers } from '../system.ts';
import type { Sheet } from './sheet.ts';

export const concentration = {
  async 'get-concentration'(reference, { user }) {
    const actor = await findOwnActor(user, { selected: true, ...reference });
    const { effects, items } = (actor as Sheet).concentration;
    const [effect] = effects;
    const [item] = items;
    return {
      data: {
        actorUuid: actor.uuid,
        isConcentrating: effect !== undefined,
        effect: effect ? tell(effect) : null,
        spell: effect ? spellOf(effect, item) : null,
      },
    };
  },

  async 'break-concentration'(reference, { user }) {
    const actor = await findOwnActor(user, { selected: true, ...reference });
    const sheet = actor as Sheet;
    const [effect] = sheet.concentration.effects;
    if (!effect) return { data: { actorUuid: actor.uuid, broken: false } };
    const { id } = effect;
    const ended = (await sheet.endConcentration()) ?? [];
    const broken = ended.length > 0;
    return { data: { actorUuid: actor.uuid, broken, ...(broken && { removedEffectId: id }) } };
  },
} satisfies Partial<SystemHandlers>;

const tell = ({ id, uuid, name, img, statuses, origin }: Effect) => ({
  id,
  uuid,
  name,
  icon: img ?? '',
  statuses: [...statuses],
  origin: origin || null,
});

/** The item, or what the effect's name says where the item is gone. */
const spellOf = (effect: Effect, item: Item | undefined): string =>
  item?.name ?? effect.name.replace(/^[^:]*:\s*/, '');
