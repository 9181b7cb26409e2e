/** Description of a browser and its world. A change of it hints at a copied token. */
export interface Fingerprint {
  worldId: string;
  systemId: string;
  origin: string;
}

/**
 * The fields in which a connection differs from what was paired. What pairing did not say is not compared; a
 * mismatch is flagged and notified, and blocks nobody.
 */
export function mismatchOf(paired: Fingerprint, now: Fingerprint): (keyof Fingerprint)[] {
  return (['worldId', 'systemId', 'origin'] as const).filter(
    (field) => paired[field] !== '' && paired[field] !== now[field],
  );
}
