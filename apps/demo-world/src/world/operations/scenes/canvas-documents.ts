import { canvasKinds } from '@tabletop-relay/contract';
import type { CanvasDocumentType } from '@tabletop-relay/contract';
import type { Document } from '../../document.ts';
import { changeDocument, createDocument, deleteDocument } from '../../store/change-documents.ts';
import { documentsOf, knownDocument, wholeDocument } from '../../store/find-documents.ts';
import { assertLevel, levelOf, levels } from '../../store/permissions.ts';
import type { Transaction } from '../../transaction.ts';
import type { OperationHandlers } from '../handler.ts';
import { documentOfScene, findScene } from './places.ts';

export const canvasDocuments: OperationHandlers<
  'get-canvas-documents' | 'create-canvas-document' | 'update-canvas-document' | 'delete-canvas-document'
> = {
  'get-canvas-documents'(tx, { documentType, documentId, sceneId }) {
    const place = placeOf(tx, { documentType, sceneId });
    assertLevel(tx, documentOfScene(tx.state, place.scene), levels.limited, 'see');
    const found =
      documentId === undefined
        ? documentsOf(tx.state, place.kind, place.parent)
        : [knownDocument(tx.state, place.uuidOf(documentId))];
    if (documentId !== undefined) assertLevel(tx, found[0]!, levels.limited, 'see');
    const seen = found.filter((one) => levelOf(tx.state, tx.user, one) >= levels.limited);
    return { ...place.told, data: seen.map((one) => wholeDocument(tx.state, one)) };
  },

  'create-canvas-document'(tx, { documentType, data, sceneId }) {
    const place = ownPlaceOf(tx, { documentType, sceneId });
    const given = Array.isArray(data) ? data : [data];
    const created = given.map((one) =>
      createDocument(tx, { kind: place.kind, parent: place.parent, data: one }),
    );
    return { ...place.told, data: created.map((uuid) => whole(tx, uuid)) };
  },

  'update-canvas-document'(tx, { documentType, documentId, data, sceneId }) {
    const place = ownPlaceOf(tx, { documentType, sceneId });
    const uuid = place.uuidOf(documentId);
    changeDocument(tx, knownDocument(tx.state, uuid), data);
    return { ...place.told, data: [whole(tx, uuid)] };
  },

  'delete-canvas-document'(tx, { documentType, documentId, sceneId }) {
    const place = ownPlaceOf(tx, { documentType, sceneId });
    const ids = new Set(Array.isArray(documentId) ? documentId : [documentId]);
    for (const id of ids) deleteDocument(tx, knownDocument(tx.state, place.uuidOf(id)));
    return { ...place.told, success: true };
  },
};

interface Wanted {
  documentType: CanvasDocumentType;
  sceneId?: string | undefined;
}

/** One kind of documents on one scene. */
function placeOf({ state }: Transaction, { documentType, sceneId }: Wanted) {
  const scene = findScene(state, { sceneId });
  const kind = canvasKinds[documentType];
  const parent = `Scene.${scene.id}`;
  return {
    scene,
    kind,
    parent,
    uuidOf: (id: string) => `${parent}.${kind}.${id}`,
    told: { sceneId: scene.id, documentType },
  };
}

/** Permission for a change: the owner of a scene may change all that lies on it. */
function ownPlaceOf(tx: Transaction, wanted: Wanted) {
  const place = placeOf(tx, wanted);
  assertLevel(tx, documentOfScene(tx.state, place.scene), levels.owner, 'change');
  return place;
}

const whole = ({ state }: Transaction, uuid: string): Document =>
  wholeDocument(state, knownDocument(state, uuid));
