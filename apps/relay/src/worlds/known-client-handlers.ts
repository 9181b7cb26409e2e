import { ClusterUnavailable } from '@tabletop-relay/cluster';
import type { Streams } from '@tabletop-relay/cluster';
import { channelNames } from '@tabletop-relay/contract';
import type { KnownClient, worldEndpoints } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import { readPlainText } from '@tabletop-relay/kit';
import type { PageRead } from '@tabletop-relay/kit';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { HandlersOf, Sender } from '../endpoint-handler.ts';
import { liftPause, readSetPauses, setPause } from '../pauses/set-pause.ts';
import { invalidField, ProblemError } from '../problem.ts';
import { paged } from '@tabletop-relay/kit';
import type { Records } from '../records/records.ts';
import { auditOf } from '../records/sender.ts';
import { describeClient, selectKnownClients } from './known-clients.ts';
import type { CallUp, FindStandbys } from './standbys.ts';
import type { WhoIsOnline } from './who-is-online.ts';

export interface KnownClientDeps {
  db: Database;
  feed: Pick<CredentialFeed, 'change'>;
  records: Pick<Records, 'audit' | 'auditIn'>;
  whoIsOnline: WhoIsOnline;
  findStandbys: FindStandbys;
  callUp: CallUp;
  streams: Pick<Streams, 'countListeners'>;
  /** Takes a world that is deleted out of the account's keys. */
  unbindClient(trx: Transaction<Tables>, client: { accountId: string; clientId: string }): Promise<void>;
}

async function readClients(
  deps: Pick<KnownClientDeps, 'db' | 'whoIsOnline' | 'findStandbys'>,
  input: PageRead & { accountId: string; clientId?: string },
): Promise<KnownClient[]> {
  const rows = await selectKnownClients(deps.db, input.accountId)
    .$if(input.cursor !== undefined, (query) => query.where('clientId', '<', input.cursor ?? ''))
    .$if(input.clientId !== undefined, (query) => query.where('clientId', '=', input.clientId ?? ''))
    .orderBy('clientId', 'desc')
    .limit(input.limit)
    .execute();
  const ids = rows.map((row) => row.clientId);
  const [online, waiting] = await Promise.all([
    deps.whoIsOnline(ids),
    deps.findStandbys(input.accountId, ids).catch(() => undefined),
  ]);
  const pauses = await readSetPauses(deps.db, input.accountId);
  return rows.map((row) => ({
    ...describeClient(row, online?.get(row.clientId)?.tokenId),
    customName: row.customName || row.moduleCustomName,
    isOnline: online ? online.has(row.clientId) : null,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    connectedSince: row.connectedSince?.toISOString() ?? null,
    tokens: Object.keys(row.tokenNames).length,
    standbys: (waiting?.get(row.clientId) ?? []).map(
      ({ standbyId, tokenId, ipAddress, instanceId, connectedSince }) => ({
        standbyId,
        tokenName: row.tokenNames[tokenId] ?? '',
        ipAddress,
        instanceId,
        since: new Date(connectedSince).toISOString(),
      }),
    ),
    pauses: pauses.filter(({ clientId }) => clientId === row.clientId).map(({ pause }) => pause),
    createdAt: row.createdAt.toISOString(),
  }));
}

/** Deletes a world with its tokens and codes. Keys, tokens and codes that name it lose it. */
async function deleteClient(
  deps: Pick<KnownClientDeps, 'feed' | 'records' | 'unbindClient'>,
  { accountId, clientId, sender }: { accountId: string; clientId: string; sender: Sender },
): Promise<boolean> {
  return await deps.feed.change(async (trx, announce) => {
    const deleted = await trx
      .deleteFrom('knownClients')
      .where('clientId', '=', clientId)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) return false;
    await deps.unbindClient(trx, { accountId, clientId });
    await trx
      .updateTable('connectionTokens')
      .set({ actingUserIds: sql`acting_user_ids - ${clientId}::text` })
      .where('accountId', '=', accountId)
      .where(sql<boolean>`acting_user_ids ? ${clientId}`)
      .execute();
    for (const table of ['connectionTokens', 'pairingCodes'] as const) {
      await trx
        .updateTable(table)
        .set({ allowedTargetClients: sql`array_remove(allowed_target_clients, ${clientId})` })
        .where('accountId', '=', accountId)
        .where(sql<boolean>`${clientId} = any(allowed_target_clients)`)
        .execute();
    }
    announce({ accountId, subject: 'client', subjectId: clientId, change: 'revoked' });
    await deps.records.auditIn(trx, {
      accountId,
      event: 'client.deleted',
      actor: 'session',
      clientId,
      ...auditOf(sender),
    });
    return true;
  });
}

const notFound = () => new ProblemError('not_found', 'You have no world by that id.');

async function readOne(deps: KnownClientDeps, accountId: string, clientId: string): Promise<KnownClient> {
  const [client] = await readClients(deps, { accountId, limit: 1, clientId });
  if (!client) throw notFound();
  return client;
}

export const knownClientHandlers = (
  deps: KnownClientDeps,
): HandlersOf<Omit<typeof worldEndpoints, 'followKnownClients'>> => ({
  listKnownClients: ({ query }, { session: { accountId } }) =>
    paged(query, (page) => readClients(deps, { accountId, ...page })),

  async updateKnownClient({ params: { clientId }, body }, { session: { accountId }, sender }) {
    const customName = readPlainText(body.customName.trim(), invalidField('customName'));
    await nameClient(deps, { accountId, clientId, customName, sender });
    return await readOne(deps, accountId, clientId);
  },

  async pauseKnownClient({ params: { clientId } }, { session: { accountId }, sender }) {
    const who = { actor: 'session', ...auditOf(sender) } as const;
    await setPause(deps, { accountId, subject: { clientId }, who });
    return await readOne(deps, accountId, clientId);
  },

  async resumeKnownClient({ params: { clientId } }, { session: { accountId }, sender }) {
    const who = { actor: 'session', ...auditOf(sender) } as const;
    await liftPause(deps, { accountId, subject: { clientId }, who });
    return await readOne(deps, accountId, clientId);
  },

  async serveKnownClientFrom({ params: { clientId }, body }, { session: { accountId }, sender }) {
    const { standbys } = await readOne(deps, accountId, clientId);
    const { tokenName = '' } = standbys.find(({ standbyId }) => standbyId === body.standbyId) ?? {};
    await deps.callUp({ accountId, clientId, standbyId: body.standbyId });
    deps.records.audit({
      accountId,
      event: 'client.served_from',
      actor: 'session',
      clientId,
      detail: { tokenName },
      ...auditOf(sender),
    });
    return await readOne(deps, accountId, clientId);
  },

  async deleteKnownClient({ params: { clientId } }, { session: { accountId }, sender }) {
    if (!(await deleteClient(deps, { accountId, clientId, sender }))) throw notFound();
    return {};
  },

  async listListeners({ params: { clientId } }, { session: { accountId } }) {
    const world = await selectKnownClients(deps.db, accountId)
      .where('clientId', '=', clientId)
      .executeTakeFirst();
    if (!world) throw notFound();
    const counts = await deps.streams.countListeners(clientId, channelNames).catch((cause: unknown) => {
      if (!(cause instanceof ClusterUnavailable)) throw cause;
      throw new ProblemError('unavailable', 'Nobody can say at the moment who listens.', { cause });
    });
    return { items: channelNames.map((channel, index) => ({ channel, listeners: counts[index] ?? 0 })) };
  },
});

async function nameClient(
  { db, records }: Pick<KnownClientDeps, 'db' | 'records'>,
  input: { accountId: string; clientId: string; customName: string; sender: Sender },
): Promise<void> {
  const { accountId, clientId, customName, sender } = input;
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('knownClients')
      .set({ customName })
      .where('clientId', '=', clientId)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw notFound();
    await records.auditIn(trx, {
      accountId,
      event: 'client.named',
      actor: 'session',
      clientId,
      detail: { customName },
      ...auditOf(sender),
    });
  });
}
