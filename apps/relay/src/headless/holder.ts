import type { SessionPrincipal } from '../endpoint-handler.ts';
import type { Principal } from '../keys/authenticate.ts';

/** Who starts and ends headless sessions: an API key, or a person in the dashboard. */
export interface Holder {
  /** One text for the whole of it: a handshake ends where it began. */
  id: string;
  accountId: string;
  /** The key that its sessions are kept under; null for the dashboard. */
  keyId: string | null;
  /** Whether it sees and ends every session of the account. */
  seesAll: boolean;
  /** The worlds that it may reach; null: all of the account. */
  clientIds: ReadonlySet<string> | null;
}

export function holderOfKey({ kind, keyId, accountId, clientIds }: Principal): Holder {
  return { id: `key ${keyId}`, accountId, keyId, seesAll: kind === 'master', clientIds };
}

export function holderOfPerson({ accountId }: SessionPrincipal): Holder {
  return { id: `account ${accountId}`, accountId, keyId: null, seesAll: true, clientIds: null };
}
