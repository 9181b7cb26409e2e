/** A document as a tabletop of this kind stores it: what operations and events tell of the world's things. */
export type Document = Record<string, unknown>;
