import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Data, FoundryDocument } from '../../tabletop/documents.ts';
import { version } from '../../versions/version.ts';
import { assertRemovable, assertRole } from '../table/users.ts';
import type { ActingUser } from '../acting.ts';
import { vetoed } from '../call.ts';
import type { SomeHandlers } from '../call.ts';
import { safeData } from '../guards/html.ts';
import { assertChange, assertCreator, assertLevel, embeddedKinds, tell, whole } from '../permissions.ts';
import { targetsOf } from './targets.ts';

/** Reading and changing documents of any kind. */
export const entities = {
  async entity(parameters, { user }) {
    const targets = await targetsOf(user, parameters);
    const told = targets.map((target) => {
      assertLevel(user, target, 'LIMITED', 'see');
      return tell(user, target);
    });
    return { uuid: targets.at(-1)!.uuid, data: parameters.uuid === undefined ? told : told[0]! };
  },

  async create({ entityType: kind, data, folder, keepId, override, fullSync, ...more }, { user }) {
    const collection = tabletop.game.collections.get(kind);
    if (!collection || kind === 'Setting') {
      const kinds = [...tabletop.game.collections.keys()].filter((one) => one !== 'Setting').join(', ');
      throw new OperationRefused(`The kinds that stand by themselves are ${kinds}`, 'not_supported');
    }
    const given = safeData(user, folder === undefined ? data : { ...data, folder }, more);
    const known = typeof data['_id'] === 'string' ? collection.get(data['_id']) : undefined;
    if (known) {
      if (!override) throw new OperationRefused(`${known.uuid} is there already`, 'already_exists');
      assertChange(user, known, 'update', given);
      if (kind === 'User') assertRole(known, given);
      await replace(known, given, fullSync === true);
      return { uuid: known.uuid, entity: whole(user, known) };
    }
    const { documentClass } = collection;
    assertCreator(user, documentClass);
    const owned = user === null ? given : { ...given, ownership: { default: 0, [user.id]: 3 } };
    const made = await documentClass.create(version().changesOf(kind, owned), { keepId: keepId === true });
    if (!made) throw vetoed(`The ${kind}`);
    return { uuid: made.uuid, entity: whole(user, made) };
  },

  async update({ data, ...parameters }, { user }) {
    const targets = await targetsOf(user, parameters);
    const given = safeData(user, data, parameters);
    for (const target of targets) await change(user, target, given);
    return { uuid: targets.at(-1)!.uuid, entity: targets.map((target) => whole(user, target)) };
  },

  async delete(parameters, { user }) {
    const targets = await targetsOf(user, parameters);
    for (const target of targets) assertChange(user, target, 'delete');
    for (const target of targets) {
      if (target.documentName === 'User') assertRemovable(target);
      await target.delete();
    }
    return { uuid: targets.at(-1)!.uuid, success: true };
  },
} satisfies SomeHandlers;

/** Changes a document that the user may change. */
export async function change(user: ActingUser, target: FoundryDocument, changes: Data): Promise<void> {
  assertChange(user, target, 'update', changes);
  if (target.documentName === 'User') assertRole(target, changes);
  const given = safeData(user, changes, {});
  await target.update(version().changesOf(target.documentName, given, target));
}

/** Writes data over a document that is there. What is embedded is found by its ids; `isWhole` takes away what the data lack. */
async function replace(known: FoundryDocument, data: Data, isWhole: boolean): Promise<void> {
  const fields = { ...data };
  for (const [kind, field] of Object.entries(embeddedKinds(known))) {
    const given = fields[field];
    if (!Array.isArray(given)) continue;
    delete fields[field];
    await replaceEmbedded(known, kind, { given: given as Data[], isWhole });
  }
  await known.update(version().changesOf(known.documentName, fields, known));
}

async function replaceEmbedded(
  known: FoundryDocument,
  kind: string,
  { given, isWhole }: { given: Data[]; isWhole: boolean },
): Promise<void> {
  const there = known.getEmbeddedCollection(kind);
  const adapt = (data: Data) => version().changesOf(kind, data);
  const isThere = ({ _id }: Data) => typeof _id === 'string' && there.get(_id) !== undefined;
  const kept = given.filter(isThere);
  const added = given.filter((data) => !isThere(data));
  const lacking = there.filter(({ id }) => !given.some(({ _id }) => _id === id)).map(({ id }) => id);
  if (isWhole && lacking.length > 0) await known.deleteEmbeddedDocuments(kind, lacking);
  if (kept.length > 0) await known.updateEmbeddedDocuments(kind, kept.map(adapt));
  if (added.length > 0) await known.createEmbeddedDocuments(kind, added.map(adapt), { keepId: true });
}
