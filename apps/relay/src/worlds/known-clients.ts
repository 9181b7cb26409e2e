import type { Cluster } from '@tabletop-relay/cluster';
import type { KnownClientsTable, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely, Selectable } from 'kysely';
import type { SocketIdentity } from './socket-identity.ts';

/** A world that was paired, online or not: an element of `clients` in `GET /clients`. */
export interface ClientRecord {
  clientId: string;
  instanceId: string;
  /** Epoch milliseconds; 0: never. */
  lastSeen: number;
  connectedSince: number;
  worldId: string;
  worldTitle: string;
  tabletopVersion: string;
  systemId: string;
  systemTitle: string;
  systemVersion: string;
  customName?: string;
  ipAddress: string;
  tokenName: string;
  isOnline: boolean;
}

/** Postgres has no text with NUL in it, and refuses to look for one. */
export const mayBeClientId = (text: string): boolean => !text.includes('\0');

/** What an owner tells the cluster of its client: the answer to `GET /clients` on any instance. */
export type ClientMeta = Omit<ClientRecord, 'clientId' | 'lastSeen' | 'isOnline' | 'tokenName'> & {
  tokenId: string;
};

/** The names of the tokens of `client`, a row of `known_clients`, by their ids: an online token may be renamed. */
export const tokenNames = sql<Record<string, string>>`coalesce(
  (select jsonb_object_agg(id, name) from connection_tokens t where t.client_id = client.client_id), '{}')`;

/** The account's worlds by name. Rejects when Postgres or the cluster is away. */
export type ListKnownClients = (accountId: string) => Promise<ClientRecord[]>;

export function createListKnownClients(db: Kysely<Tables>, cluster: Cluster): ListKnownClients {
  return async function listKnownClients(accountId) {
    const rows = await db
      .selectFrom('knownClients as client')
      .selectAll()
      .select(tokenNames.as('tokenNames'))
      .where('accountId', '=', accountId)
      .orderBy('worldTitle')
      .orderBy('clientId')
      .execute();
    const online = await cluster.directory.find(rows.map((row) => row.clientId));
    return rows.map((row) => {
      const presence = online.get(row.clientId);
      const live = presence?.accountId === accountId && !presence.moving;
      return toRecord(row, live ? (JSON.parse(presence.meta) as ClientMeta) : undefined);
    });
  };
}

/** The dashboard's name wins over the module's. */
function toRecord(
  row: Selectable<KnownClientsTable> & { tokenNames: Record<string, string> },
  meta: ClientMeta | undefined,
): ClientRecord {
  const customName = row.customName || (meta ? meta.customName : row.moduleCustomName);
  const { tokenId = '', customName: _customName, ...shown } = meta ?? {};
  const record: ClientRecord = {
    clientId: row.clientId,
    instanceId: row.lastInstanceId,
    lastSeen: meta ? Date.now() : (row.lastSeenAt?.getTime() ?? 0),
    connectedSince: row.connectedSince?.getTime() ?? 0,
    worldId: row.worldId,
    worldTitle: row.worldTitle,
    tabletopVersion: row.tabletopVersion,
    systemId: row.systemId,
    systemTitle: row.systemTitle,
    systemVersion: row.systemVersion,
    ipAddress: row.ipAddress,
    isOnline: meta !== undefined,
    ...shown,
    tokenName: row.tokenNames[tokenId] ?? row.tokenName,
  };
  return customName ? { ...record, customName } : record;
}

export function metaOf(identity: SocketIdentity, instanceId: string): ClientMeta {
  const { world, ipAddress, principal, connectedSince } = identity;
  return {
    instanceId,
    connectedSince,
    ...world,
    ipAddress,
    tokenId: principal.tokenId,
  };
}
