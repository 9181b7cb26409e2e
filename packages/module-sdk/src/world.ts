/** What a module says of its world when it pairs and when it connects. */
export interface World {
  worldId: string;
  worldTitle: string;
  tabletopVersion: string;
  systemId: string;
  systemTitle: string;
  systemVersion: string;
  customName?: string | undefined;
  /** A random id of the tabletop's installation: lets a world that lost its settings pair as the same client. */
  serverFingerprint?: string | undefined;
}
