import type { Document } from '../document.ts';

/** A document of a kind that the rules of this world know nothing of. Those that it embeds stand beside it. */
export interface StoredDocument {
  /** For example `JournalEntry`. */
  kind: string;
  /** UUID of the document that embeds it; null for the world's own. */
  parent: string | null;
  /** Its fields, without `_id` and `uuid`. */
  data: Document;
}

/** A document of any kind, as it was found. `data` is whole but for what it embeds. */
export interface FoundDocument extends StoredDocument {
  uuid: string;
}
