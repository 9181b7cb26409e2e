/** A document as a tabletop of this kind stores it: the form of answers and events. */
export type Document = Record<string, unknown>;
