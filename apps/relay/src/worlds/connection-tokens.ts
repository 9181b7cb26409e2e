import { ConnectionToken, PageQuery, UpdateConnectionTokenBody, pageOf } from '@tabletop-relay/contract';
import { Type } from 'typebox';
import { parseIpAllowlist } from '../limits/ip-allowlist.ts';
import { ProblemError, invalidFields } from '../problem.ts';
import { checkOwnClients, withAccountLocked } from '../accounts/account-lock.ts';
import type { AccountApp, AccountDeps } from '../accounts/deps.ts';
import { paged } from '../records/paging.ts';
import { readPlainText } from '../records/plain-text.ts';
import { auditOf, senderOf } from '../records/sender.ts';

/** The allowlist as it is stored; throws `invalid_request` naming the entry that is none. */
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
  deps: AccountDeps,
  input: { accountId: string; limit: number; cursor?: string | undefined; id?: string },
): Promise<ConnectionToken[]> {
  const rows = await deps.db
    .selectFrom('connectionTokens')
    .select(['id', 'clientId', 'name', 'hint', 'allowedTargetClients', 'remoteScopes', 'ipAllowlist'])
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
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    isConnected: online ? online.get(row.clientId)?.tokenId === row.id : null,
    createdAt: row.createdAt.toISOString(),
  }));
}

const params = Type.Object({ id: Type.String() });
const notFound = () => new ProblemError('not_found', 'You have no paired browser by that id.');

export function connectionTokenRoutes(app: AccountApp, deps: AccountDeps): void {
  const { feed, records } = deps;

  app.get(
    '/auth/connection-tokens',
    {
      schema: {
        summary: 'List your paired browsers',
        querystring: PageQuery,
        response: { 200: pageOf(ConnectionToken) },
      },
    },
    async (request) =>
      await paged(request.query, (page) =>
        readTokens(deps, { accountId: request.session.accountId, ...page }),
      ),
  );

  app.patch(
    '/auth/connection-tokens/:id',
    {
      schema: {
        summary: 'Change what a paired browser may do',
        params,
        body: UpdateConnectionTokenBody,
        response: { 200: ConnectionToken },
      },
      config: { problems: ['client_not_found', 'rotation_required'] },
    },
    async (request) => {
      const { accountId } = request.session;
      const { id } = request.params;
      const { name, ipAllowlist, allowedTargetClients, remoteScopes } = request.body;
      const changes = {
        ...(name !== undefined && { name: readPlainText(name, 'name') }),
        ...(ipAllowlist !== undefined && { ipAllowlist: readAllowlist(ipAllowlist) }),
        ...(allowedTargetClients && { allowedTargetClients }),
        ...(remoteScopes && { remoteScopes }),
      };
      await withAccountLocked(deps, request.session, async (trx, announce) => {
        const updated = await trx
          .updateTable('connectionTokens')
          .set(changes)
          .where('id', '=', id)
          .where('accountId', '=', accountId)
          .executeTakeFirst();
        if (updated.numUpdatedRows === 0n) throw notFound();
        await checkOwnClients(trx, accountId, allowedTargetClients ?? []);
        announce({ accountId, subject: 'token', subjectId: id, change: 'changed' });
        await records.auditIn(trx, {
          accountId,
          event: 'connection_token.changed',
          actor: 'session',
          subjectId: id,
          detail: { ...request.body },
          ...auditOf(senderOf(request)),
        });
      });
      const [token] = await readTokens(deps, { accountId, limit: 1, id });
      if (!token) throw notFound();
      return token;
    },
  );

  app.delete(
    '/auth/connection-tokens/:id',
    { schema: { summary: 'Unpair a browser', params, response: { 200: Type.Object({}) } } },
    async (request) => {
      const { accountId } = request.session;
      const { id } = request.params;
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
          ...auditOf(senderOf(request)),
        });
      });
      return {};
    },
  );
}
