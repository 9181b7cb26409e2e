import { idOf } from '../../documents.ts';
import type { WorldState } from '../../state.ts';
import type { DocumentRoom } from './document-room.ts';
import { mergeDocument } from '../merge.ts';
import type { FoundDocument, StoredDocument } from '../stored-document.ts';

/** The documents of a kind that the rules know nothing of: they are kept as they were given. */
export function storedRoom(kind: string): Required<DocumentRoom> {
  return {
    list: ({ documents }, parent) =>
      Object.entries(documents).flatMap(([uuid, stored]) =>
        stored.kind === kind && stored.parent === parent ? [found(uuid, stored)] : [],
      ),

    find({ documents }, uuid) {
      const stored = Object.hasOwn(documents, uuid) ? documents[uuid] : undefined;
      return stored?.kind === kind ? found(uuid, stored) : undefined;
    },

    insert(tx, { uuid, parent }, data) {
      put(tx, uuid, { kind, parent, data: mergeDocument({}, data) });
    },

    change(tx, uuid, changes) {
      const stored = tx.state.documents[uuid]!;
      put(tx, uuid, { ...stored, data: mergeDocument(stored.data, changes) });
    },

    remove(tx, uuid) {
      const { [uuid]: _gone, ...documents } = tx.state.documents;
      tx.state = { ...tx.state, documents };
    },
  };
}

function put(tx: { state: WorldState }, uuid: string, stored: StoredDocument): void {
  tx.state = { ...tx.state, documents: { ...tx.state.documents, [uuid]: stored } };
}

function found(uuid: string, { kind, parent, data }: StoredDocument): FoundDocument {
  return { kind, uuid, parent, data: { ...data, _id: idOf(uuid), uuid } };
}
