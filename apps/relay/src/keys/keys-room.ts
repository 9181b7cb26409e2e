import type { Database } from '@tabletop-relay/database';
import type { Quotas } from '@tabletop-relay/limits';
import type { SettingsOf } from '@tabletop-relay/process';
import type { Logger } from 'pino';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { UnknownSecretLimit } from '../limits/unknown-secret-limit.ts';
import { createAuthenticate } from './authenticate.ts';
import type { Authenticate, KeysByHash } from './authenticate.ts';
import { createCallLimits, createMonthlyLimit } from './call-limits.ts';
import type { CallLimits } from './call-limits.ts';
import type { keySettings } from './key-settings.ts';
import { createRefusalOfKey } from './key-refusal.ts';
import type { RefusalOfKey } from './key-refusal.ts';
import { createKeyUse } from './key-use.ts';
import type { KeyUse } from './key-use.ts';
import { createMayReadRolls } from './may-read-rolls.ts';
import type { MayReadRolls } from './may-read-rolls.ts';

export interface KeysRoomDeps {
  db: Database;
  /** The id of this process. */
  boot: string;
  feed: CredentialFeed;
  unknownSecrets: UnknownSecretLimit;
  quotas: Quotas;
  log: Logger;
  settings: SettingsOf<typeof keySettings>;
}

/** Whose a key is, and what it may still call. */
export interface KeysRoom {
  authenticate: Authenticate;
  /** At `/mcp` alone. */
  authenticateAssistant: Authenticate;
  keysByHash: KeysByHash;
  refusalOfKey: RefusalOfKey;
  callLimits: CallLimits;
  mayReadRolls: MayReadRolls;
  keyUse: Pick<KeyUse, 'flush' | 'refuse'>;
}

export function createKeysRoom(deps: KeysRoomDeps): KeysRoom {
  const { db, boot, feed, unknownSecrets, quotas, log, settings } = deps;
  const keyUse = createKeyUse({ db, boot, log, onWritten: (use) => monthly.settle(use) });
  const monthly = createMonthlyLimit({ db, quotas, countCall: keyUse.count, now: Date.now });
  const { authenticate, authenticateAssistant, keys } = createAuthenticate({
    db,
    feed,
    unknownSecrets,
    onUse: keyUse.touch,
  });
  return {
    authenticate,
    authenticateAssistant,
    keysByHash: keys,
    refusalOfKey: createRefusalOfKey(db),
    callLimits: createCallLimits({ ...settings, quotas, monthly }),
    mayReadRolls: createMayReadRolls(db),
    keyUse,
  };
}
