import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { WireParameters } from '@tabletop-relay/module-sdk';
import type { Data, FoundryDocument, Scene } from '../../tabletop/documents.ts';
import { version } from '../../versions/version.ts';
import { notFound } from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';
import { safeData } from '../guards/html.ts';
import { assertLevel, embeddedKinds, may, refused, whole } from '../permissions.ts';
import { findScene } from './places.ts';
import { regionOfTemplate, templateOfRegion } from './templates.ts';

/** What lies on scenes, by the words that paths have for the kinds. */
export const canvasDocuments = {
  'get-canvas-documents'({ documentId, ...wanted }, { user }) {
    const place = placeOf(wanted);
    assertLevel(user, place.scene, 'LIMITED', 'see');
    const all = documentId === undefined ? place.all() : [place.get(documentId)];
    if (documentId !== undefined) assertLevel(user, all[0]!, 'LIMITED', 'see');
    const seen = all.filter((one) => may(user, one, 'LIMITED'));
    return { ...place.told, data: seen.map((one) => place.tell(user, one)) };
  },

  async 'create-canvas-document'({ data, ...wanted }, { user }) {
    const place = ownPlaceOf(user, wanted);
    const given = (Array.isArray(data) ? data : [data]).map((one) => place.read(safeData(user, one, {})));
    const made = await place.scene.createEmbeddedDocuments(place.kind, given);
    return { ...place.told, data: made.map((one) => place.tell(user, one)) };
  },

  async 'update-canvas-document'({ documentId, data, ...wanted }, { user }) {
    const place = ownPlaceOf(user, wanted);
    const document = place.get(documentId);
    await document.update(version().changesOf(place.kind, safeData(user, data, {})));
    return { ...place.told, data: [place.tell(user, document)] };
  },

  async 'delete-canvas-document'({ documentId, ...wanted }, { user }) {
    const place = ownPlaceOf(user, wanted);
    const ids = [...new Set(Array.isArray(documentId) ? documentId : [documentId])];
    await place.scene.deleteEmbeddedDocuments(
      place.kind,
      ids.map((id) => place.get(id).id),
    );
    return { ...place.told, success: true };
  },
} satisfies SomeHandlers;

type CanvasDocumentType = WireParameters<'get-canvas-documents'>['documentType'];

const kinds: Readonly<Record<CanvasDocumentType, string>> = {
  tokens: 'Token',
  tiles: 'Tile',
  drawings: 'Drawing',
  lights: 'AmbientLight',
  sounds: 'AmbientSound',
  notes: 'Note',
  templates: 'MeasuredTemplate',
  walls: 'Wall',
  regions: 'Region',
};

interface Wanted {
  documentType: CanvasDocumentType;
  sceneId?: string | undefined;
}

/** One kind of documents on one scene. Where templates are regions, a region that has the shape of one is a template too. */
function placeOf({ documentType, sceneId }: Wanted) {
  const scene: Scene = findScene({ sceneId });
  const isBridged = documentType === 'templates' && version().templateKind === 'Region';
  const kind = isBridged ? 'Region' : kinds[documentType];
  if (!(kind in embeddedKinds(scene))) {
    throw new OperationRefused(`This tabletop has no ${documentType}`, 'not_supported');
  }
  const collection = scene.getEmbeddedCollection(kind);
  const isOne = (one: FoundryDocument) => !isBridged || templateOfRegion(one.toObject()) !== undefined;
  return {
    scene,
    kind,
    told: { sceneId: scene.id, documentType },
    all: () => collection.filter(isOne),
    get(id: string): FoundryDocument {
      const found = collection.get(id);
      if (!found || !isOne(found)) throw notFound(kind, `${scene.uuid}.${kind}.${id}`);
      return found;
    },
    read: (data: Data) => (isBridged ? regionOfTemplate(data) : version().changesOf(kind, data)),
    tell(user: ActingUser, one: FoundryDocument): Data {
      const data = whole(user, one);
      return isBridged ? { ...data, ...templateOfRegion(data) } : data;
    },
  };
}

/** The documents that a call names by their ids, of those that are there; the scene where it names none. */
export function canvasDocumentsNamed({ documentType, sceneId, documentId }: Data): FoundryDocument[] {
  const place = placeOf({ documentType, sceneId } as Wanted);
  if (documentId === undefined) return [place.scene];
  const ids = [documentId].flat();
  return place.all().filter(({ id }) => ids.includes(id));
}

/** Whoever owns a scene may change all that lies on it. */
function ownPlaceOf(user: ActingUser, wanted: Wanted) {
  const place = placeOf(wanted);
  if (!may(user, place.scene, 'OWNER')) throw refused(user, `change ${place.scene.uuid}`);
  return place;
}
