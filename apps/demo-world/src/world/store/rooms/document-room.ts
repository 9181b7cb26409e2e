import type { Document } from '../../document.ts';
import type { WorldState } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import type { FoundDocument } from '../stored-document.ts';

/**
 * The documents of one kind, wherever the world keeps them: some are things that the rules know, such as actors, and
 * all others are kept as they are. What a document embeds has a room of its own.
 */
export interface DocumentRoom {
  /** All of the kind that one document embeds; of the world itself where `parent` is null. */
  list(state: WorldState, parent: string | null): readonly FoundDocument[];
  find(state: WorldState, uuid: string): FoundDocument | undefined;
  /** Adds a document. Absent where the world makes them itself. */
  insert?(tx: Transaction, place: NewPlace, data: Document): void;
  /** Changes the fields that `changes` names. */
  change?(tx: Transaction, uuid: string, changes: Document): void;
  remove?(tx: Transaction, uuid: string): void;
}

/** Where a new document comes to stand. */
export interface NewPlace {
  uuid: string;
  id: string;
  parent: string | null;
}

/** A room whose documents can be found by going through all of them. */
export function findIn(found: readonly FoundDocument[], uuid: string): FoundDocument | undefined {
  return found.find((one) => one.uuid === uuid);
}
