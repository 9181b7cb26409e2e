import type { Document } from '../document.ts';
import { Refusal } from '../refusal.ts';
import type { WorldState } from '../state.ts';
import { compendiumDocument } from './compendium.ts';
import { documentKinds, kindOf } from './kinds.ts';
import { roomOf } from './rooms/rooms.ts';
import type { FoundDocument } from './stored-document.ts';

/** A document of the world or of a compendium, whatever its kind. */
export function findDocument(state: WorldState, uuid: string): FoundDocument | undefined {
  if (uuid.startsWith('Compendium.')) return compendiumDocument(uuid);
  const kind = kindOf(uuid);
  return kind === undefined ? undefined : roomOf(kind).find(state, uuid);
}

export function knownDocument(state: WorldState, uuid: string): FoundDocument {
  const document = findDocument(state, uuid);
  if (!document) throw new Refusal('entity_not_found', `There is no document ${uuid}`);
  return document;
}

/** All documents of a kind, of the world itself or of the document that embeds them. */
export function documentsOf(
  state: WorldState,
  kind: string,
  parent: string | null = null,
): readonly FoundDocument[] {
  return roomOf(kind).list(state, parent);
}

/** A document with all that it embeds, as far as somebody may see it. */
export function wholeDocument(
  state: WorldState,
  { kind, uuid, data }: FoundDocument,
  isSeen: (document: FoundDocument) => boolean = () => true,
): Document {
  const embedded = (documentKinds[kind]?.embeds ?? []).map((inner) => [
    documentKinds[inner]!.collection,
    documentsOf(state, inner, uuid)
      .filter(isSeen)
      .map((one) => wholeDocument(state, one, isSeen)),
  ]);
  return { ...data, ...Object.fromEntries(embedded) };
}

/** Fields of a document for a user who may only see that it exists. */
export function minimalDocument({ uuid, data }: FoundDocument): Document {
  return { uuid, name: data['name'] ?? null, type: data['type'] ?? null, img: data['img'] ?? null };
}
