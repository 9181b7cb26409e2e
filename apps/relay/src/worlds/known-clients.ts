import type { Cluster } from '@tabletop-relay/cluster';
import type { ClientRecord, Declarations } from '@tabletop-relay/contract';
import type { KnownClientsTable, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely, Selectable } from 'kysely';
import type { SocketIdentity } from './socket-identity.ts';
import { worldOf } from './world-columns.ts';

/** A client as its owner describes it to the cluster, so that `GET /clients` has the same answer on any instance. */
export type ClientMeta = Omit<
  ClientRecord,
  'clientId' | 'foundryVersion' | 'lastSeen' | 'isOnline' | 'tokenName' | 'standbys'
> & {
  tokenId: string;
  declared: Declarations;
};

/** A row of an account's worlds. An online token may be renamed, so the names of its tokens stand beside it, by id. */
type KnownClientRow = Selectable<KnownClientsTable> & { tokenNames: Record<string, string> };

/** The worlds of an account as rows, in no order; aliased `client`. */
export function selectKnownClients(db: Kysely<Tables>, accountId: string) {
  return db
    .selectFrom('knownClients as client')
    .selectAll('client')
    .select(tokenNames.as('tokenNames'))
    .where('accountId', '=', accountId);
}

const tokenNames = sql<Record<string, string>>`coalesce(
  (select jsonb_object_agg(id, name) from connection_tokens t where t.client_id = client.client_id), '{}')`;

/** The fields that every answer tells of a world. `tokenId`: of the token that holds its connection. */
export function describeClient(row: KnownClientRow, tokenId = '') {
  return {
    clientId: row.clientId,
    ...worldOf(row),
    instanceId: row.lastInstanceId,
    ipAddress: row.ipAddress,
    tokenName: row.tokenNames[tokenId] ?? row.tokenName,
  };
}

/** The account's worlds by name, or those of them that have these ids. Rejects when Postgres or the cluster is away. */
export type ListKnownClients = (accountId: string, clientIds?: readonly string[]) => Promise<ClientRecord[]>;

export function createListKnownClients(db: Kysely<Tables>, cluster: Cluster): ListKnownClients {
  return async function listKnownClients(accountId, clientIds) {
    const rows = await selectKnownClients(db, accountId)
      .$if(clientIds !== undefined, (query) =>
        query.where('clientId', '=', sql<string>`any(${clientIds}::text[])`),
      )
      .orderBy('worldTitle')
      .orderBy('clientId')
      .execute();
    const ids = rows.map((row) => row.clientId);
    const [online, waiting] = await Promise.all([cluster.directory.find(ids), cluster.standbys.find(ids)]);
    return rows.map((row) => {
      const presence = online.get(row.clientId);
      const live = presence?.accountId === accountId && !presence.moving;
      const standbys = waiting.get(row.clientId)?.filter((one) => one.accountId === accountId).length ?? 0;
      return { ...toRecord(row, live ? (JSON.parse(presence.meta) as ClientMeta) : undefined), standbys };
    });
  };
}

/** An online world's description by its owner is newer than the row. The dashboard's name wins over the module's. */
function toRecord(row: KnownClientRow, meta: ClientMeta | undefined): Omit<ClientRecord, 'standbys'> {
  const {
    tokenId,
    declared: _declared,
    customName: moduleName = '',
    ...shown
  } = meta ?? { customName: row.moduleCustomName };
  const customName = row.customName || moduleName;
  const record = {
    lastSeen: meta ? Date.now() : (row.lastSeenAt?.getTime() ?? 0),
    connectedSince: row.connectedSince?.getTime() ?? 0,
    isOnline: meta !== undefined,
    ...describeClient(row, tokenId),
    ...shown,
    ...(customName && { customName }),
  };
  return { ...record, foundryVersion: record.tabletopVersion };
}

export function metaOf(identity: SocketIdentity, instanceId: string): ClientMeta {
  const { world, ipAddress, principal, connectedSince, declared } = identity;
  return { instanceId, connectedSince, ...world, ipAddress, tokenId: principal.tokenId, declared };
}

interface WorldsPage {
  /** Absent: the worlds of all accounts. */
  accountId?: string;
  limit: number;
}

/** Paired worlds for an operator, those that were seen last first. */
export async function readAllWorlds(db: Kysely<Tables>, { accountId, limit }: WorldsPage) {
  return await db
    .selectFrom('knownClients')
    .select(['clientId', 'accountId', 'worldId', 'worldTitle', 'customName', 'lastInstanceId'])
    .select(['lastSeenAt', 'connectedSince'])
    .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId ?? ''))
    .orderBy('lastSeenAt', (order) => order.desc().nullsLast())
    .orderBy('clientId')
    .limit(limit)
    .execute();
}
