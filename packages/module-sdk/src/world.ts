import type { WorldMetadata } from '@tabletop-relay/contract/types';

/** The description of a world that its module gives when it pairs and when it connects. */
export interface World extends Omit<WorldMetadata, 'customName'> {
  customName?: string | undefined;
  /** A random id of the tabletop's installation: lets a world that lost its settings pair as the same client. */
  serverFingerprint?: string | undefined;
}
