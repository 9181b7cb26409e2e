import { describeActingUsers } from '@tabletop-relay/contract';
import type { ConnectionToken, InputOf, connectionTokenEndpoints } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import { parseIpAllowlist, readPlainText } from '@tabletop-relay/kit';
import type { PageRead } from '@tabletop-relay/kit';
import type { Transaction } from 'kysely';
import { withAccountLocked } from '../accounts/account-lock.ts';
import type { LockDeps } from '../accounts/account-lock.ts';
import type { Announce } from '../credentials/changes/credential-feed.ts';
import type { HandlersOf, Sender, SessionPrincipal } from '../endpoint-handler.ts';
import { invalidField, invalidFields, ProblemError } from '../problem.ts';
import { paged } from '@tabletop-relay/kit';
import type { Records } from '../records/records.ts';
import { auditOf } from '../records/sender.ts';
import { changeReach, checkScopesOfUser, reachedBy, worldsColumn } from './acting-users.ts';
import { checkOwnClients } from './find-clients.ts';
import type { WhoIsOnline } from './who-is-online.ts';

export interface ConnectionTokenDeps extends LockDeps {
  db: Database;
  records: Pick<Records, 'auditIn'>;
  whoIsOnline: WhoIsOnline;
}

/** The allowlist as it is stored; throws `invalid_request`, naming an entry that is not an address or range. */
export function readAllowlist(text: string): string {
  const allowlist = parseIpAllowlist(text);
  if ('badEntry' in allowlist) {
    throw invalidFields([
      { field: 'ipAllowlist', message: `has "${allowlist.badEntry}", which is no IP address or CIDR range` },
    ]);
  }
  return allowlist.text;
}

async function readTokens(
  deps: Pick<ConnectionTokenDeps, 'db' | 'whoIsOnline'>,
  input: PageRead & { accountId: string; id?: string },
): Promise<ConnectionToken[]> {
  const rows = await deps.db
    .selectFrom('connectionTokens')
    .select(['id', 'clientId', 'name', 'hint', 'actingUserIds', 'remoteScopes', 'ipAllowlist'])
    .select(reachedBy<string[]>('allowed_target_clients').as('allowedTargetClients'))
    .select(['origin', 'lastUsedAt', 'lastIpAddress', 'createdAt'])
    .where('accountId', '=', input.accountId)
    .$if(input.cursor !== undefined, (query) => query.where('id', '<', input.cursor ?? ''))
    .$if(input.id !== undefined, (query) => query.where('id', '=', input.id ?? ''))
    .orderBy('id', 'desc')
    .limit(input.limit)
    .execute();
  const online = await deps.whoIsOnline([...new Set(rows.map((row) => row.clientId))]);
  return rows.map((row) => ({
    ...row,
    ...describeActingUsers(row.actingUserIds),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    isConnected: online ? online.get(row.clientId)?.tokenId === row.id : null,
    createdAt: row.createdAt.toISOString(),
  }));
}

const notFound = () => new ProblemError('not_found', 'You have no paired browser by that id.');

export const connectionTokenHandlers = (
  deps: ConnectionTokenDeps,
): HandlersOf<typeof connectionTokenEndpoints> => ({
  listConnectionTokens: ({ query }, { session: { accountId } }) =>
    paged(query, (page) => readTokens(deps, { accountId, ...page })),

  async updateConnectionToken({ params: { id }, body }, { session, sender }) {
    await updateToken(deps, { session, id, body, sender });
    const [token] = await readTokens(deps, { accountId: session.accountId, limit: 1, id });
    if (!token) throw notFound();
    return token;
  },

  async revokeConnectionToken({ params: { id } }, { session: { accountId }, sender }) {
    await revokeToken(deps, { accountId, id, sender });
    return {};
  },
});

type Changes = InputOf<(typeof connectionTokenEndpoints)['updateConnectionToken']>['body'];

async function updateToken(
  deps: ConnectionTokenDeps,
  input: { session: SessionPrincipal; id: string; body: Changes; sender: Sender },
): Promise<void> {
  const { session, ...change } = input;
  const { accountId } = session;
  await withAccountLocked(deps, session, (trx, announce) =>
    changeToken({ ...deps, trx, announce }, { ...change, accountId }),
  );
}

/** Changes one paired browser of the account; with `clientId`, only one of that world. Throws `not_found`. */
export async function changeToken(
  deps: Pick<ConnectionTokenDeps, 'records'> & { trx: Transaction<Tables>; announce: Announce },
  input: { accountId: string; id: string; clientId?: string; body: Changes; sender: Sender },
): Promise<void> {
  const { trx, announce, records } = deps;
  const { accountId, id, clientId, body, sender } = input;
  const { name, ipAllowlist, remoteScopes } = body;
  const changes = {
    ...(name !== undefined && { name: readPlainText(name, invalidField('name')) }),
    ...(ipAllowlist !== undefined && { ipAllowlist: readAllowlist(ipAllowlist) }),
    ...(remoteScopes && { remoteScopes: [...new Set(remoteScopes)] }),
  };
  const before = await trx
    .selectFrom('connectionTokens')
    .select(['remoteScopes', 'actingUserIds'])
    .select(reachedBy<string[]>('allowed_target_clients').as('clientIds'))
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .$if(clientId !== undefined, (query) => query.where('clientId', '=', clientId ?? ''))
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw notFound();
  const { allowedTargetClients, actingUserIds, actingUserId } = body;
  const given = { clientIds: allowedTargetClients, actingUserIds, actingUserId };
  const reach = changeReach(before, given, 'allowedTargetClients');
  checkScopesOfUser(reach.actingUserIds, changes.remoteScopes ?? before.remoteScopes, 'remoteScopes');
  await trx
    .updateTable('connectionTokens')
    .set({ ...changes, allowedTargetClients: worldsColumn(reach) ?? [], actingUserIds: reach.actingUserIds })
    .where('id', '=', id)
    .execute();
  const reached = reach.clientIds ?? [];
  if (allowedTargetClients ?? actingUserIds) await checkOwnClients(trx, accountId, reached);
  announce({ accountId, subject: 'token', subjectId: id, change: 'changed' });
  await records.auditIn(trx, {
    accountId,
    event: 'connection_token.changed',
    actor: 'session',
    subjectId: id,
    detail: {
      ...body,
      ...changes,
      // Each world once, as it was stored.
      ...(allowedTargetClients && { allowedTargetClients: [...new Set(reached)] }),
    },
    ...auditOf(sender),
  });
}

async function revokeToken(
  { feed, records }: Pick<ConnectionTokenDeps, 'feed' | 'records'>,
  { accountId, id, sender }: { accountId: string; id: string; sender: Sender },
): Promise<void> {
  await feed.change(async (trx, announce) => {
    const deleted = await trx
      .deleteFrom('connectionTokens')
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) throw notFound();
    announce({ accountId, subject: 'token', subjectId: id, change: 'revoked' });
    await records.auditIn(trx, {
      accountId,
      event: 'connection_token.revoked',
      actor: 'session',
      subjectId: id,
      ...auditOf(sender),
    });
  });
}
