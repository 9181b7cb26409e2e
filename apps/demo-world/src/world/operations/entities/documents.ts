import type { Document } from '../../document.ts';
import { Refusal } from '../../refusal.ts';
import { changeDocument, createDocument, deleteDocument } from '../../store/change-documents.ts';
import { findDocument, knownDocument, wholeDocument } from '../../store/find-documents.ts';
import { documentKinds } from '../../store/kinds.ts';
import { assertCreator, assertLevel, levels, toldDocument } from '../../store/permissions.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';
import type { OperationHandlers } from '../handler.ts';
import { targetsOf } from './targets.ts';

export const documents: OperationHandlers<'entity' | 'create' | 'update' | 'delete'> = {
  entity(tx, parameters) {
    const targets = targetsOf(tx, parameters);
    const told = targets.map((target) => {
      assertLevel(tx, target, levels.limited, 'see');
      return toldDocument(tx, target);
    });
    const uuid = targets.at(-1)!.uuid;
    return { uuid, data: parameters.uuid === undefined ? told : told[0]! };
  },

  create(tx, { entityType: kind, data, folder, keepId, override, fullSync }) {
    if (documentKinds[kind]?.inWorld === undefined)
      throw new Refusal('not_supported', `The kinds that stand by themselves are ${standing.join(', ')}`);
    const given: Document = folder === undefined ? data : { ...data, folder };
    const id = typeof data['_id'] === 'string' ? data['_id'] : undefined;
    const known = id === undefined ? undefined : findDocument(tx.state, `${kind}.${id}`);
    if (known) {
      if (!override) throw new Refusal('already_exists', `${known.uuid} is there already`);
      assertLevel(tx, known, levels.owner, 'change');
      changeDocument(tx, known, given, { fullSync: fullSync ?? false });
      return told(tx, known.uuid);
    }
    assertCreator(tx, kind);
    const { user } = tx;
    const owned = user === null ? given : { ...given, ownership: { default: 0, [user.id]: 3 } };
    return told(tx, createDocument(tx, { kind, data: owned, keepId }));
  },

  update(tx, parameters) {
    const targets = targetsOf(tx, parameters);
    for (const target of targets) changeOwn(tx, target, parameters.data);
    const uuids = targets.map(({ uuid }) => uuid);
    return { uuid: uuids.at(-1)!, entity: uuids.map((uuid) => told(tx, uuid).entity) };
  },

  delete(tx, parameters) {
    const targets = targetsOf(tx, parameters);
    for (const target of targets) {
      assertLevel(tx, target, levels.owner, 'delete');
      // An embedded document is deleted with the one that holds it.
      if (findDocument(tx.state, target.uuid)) deleteDocument(tx, target);
    }
    return { uuid: targets.at(-1)!.uuid, success: true };
  },
};

const standing = Object.keys(documentKinds).filter((kind) => documentKinds[kind]?.inWorld !== undefined);

/** Changes a document that the acting user owns. */
export function changeOwn(tx: Transaction, target: FoundDocument, changes: Document): void {
  assertLevel(tx, target, levels.owner, 'change');
  changeDocument(tx, target, changes);
}

function told(tx: Transaction, uuid: string) {
  return { uuid, entity: wholeDocument(tx.state, knownDocument(tx.state, uuid)) };
}
