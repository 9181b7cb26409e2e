import { ClusterUnavailable } from '@tabletop-relay/cluster';
import type { Cluster } from '@tabletop-relay/cluster';
import type { Tables } from '@tabletop-relay/database';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import { limitOf } from '../limits/limits.ts';
import type { AccountLimits } from '../limits/limits.ts';
import { authorize } from '../keys/authorize.ts';
import { ProblemError } from '../problem.ts';
import { problemResponses } from './operation-schema.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import { mayBeClientId } from '../worlds/known-clients.ts';
import type { ListKnownClients } from '../worlds/known-clients.ts';

const ClientRecordSchema = Type.Object({
  clientId: Type.String(),
  instanceId: Type.String(),
  lastSeen: Type.Integer({ description: 'Epoch milliseconds; 0: never connected.' }),
  connectedSince: Type.Integer({ description: 'Epoch milliseconds; 0: never connected.' }),
  worldId: Type.String(),
  worldTitle: Type.String(),
  tabletopVersion: Type.String(),
  systemId: Type.String(),
  systemTitle: Type.String(),
  systemVersion: Type.String(),
  customName: Type.Optional(Type.String()),
  ipAddress: Type.String(),
  tokenName: Type.String(),
  isOnline: Type.Boolean(),
});

/** `GET /clients`: every paired world that the key may see, from any instance the same. */
export function registerClientList(
  app: FastifyInstance,
  listKnownClients: ListKnownClients,
  { monthly }: Pick<CallLimits, 'monthly'>,
): void {
  app.get(
    '/clients',
    {
      config: { anyOrigin: true },
      schema: {
        operationId: 'clients',
        tags: ['clients'],
        summary: 'List the worlds that this key may see, online or not',
        security: [{ apiKey: [] }],
        response: {
          200: Type.Object({ clients: Type.Array(ClientRecordSchema), total: Type.Integer() }),
          ...problemResponses([
            'key_missing',
            'key_invalid',
            'key_expired',
            'scope_missing',
            'rate_limited',
            'monthly_limit_reached',
            'unavailable',
          ]),
        },
      },
    },
    async ({ principal }) => {
      authorize(principal, 'clients:read');
      monthly.count(principal, await monthly.spend(principal));
      const all = await listKnownClients(principal.accountId).catch(unavailable);
      const clients = all.filter(({ clientId }) => !principal.clientIds || principal.clientIds.has(clientId));
      return { clients, total: clients.length };
    },
  );
}

/** `GET /api/clients/:clientId/active`: public, and tells nothing but this one bit. */
export function registerActiveProbe(
  app: FastifyInstance,
  db: Kysely<Tables>,
  cluster: Cluster,
  limits: AccountLimits,
): void {
  app.get<{ Params: { clientId: string } }>(
    '/api/clients/:clientId/active',
    {
      config: { anyOrigin: true, ...limitOf(limits, 'clientActive') },
      schema: {
        operationId: 'client-active',
        tags: ['clients'],
        summary: 'Tell whether a world is connected',
        params: Type.Object({ clientId: Type.String({ maxLength: 128 }) }),
        response: {
          200: Type.Object({ active: Type.Boolean() }),
          ...problemResponses(['invalid_request', 'not_found', 'rate_limited', 'unavailable']),
        },
      },
    },
    async ({ params: { clientId } }) => {
      const known =
        mayBeClientId(clientId) &&
        (await db
          .selectFrom('knownClients')
          .select('accountId')
          .where('clientId', '=', clientId)
          .executeTakeFirst()
          .catch(unavailable));
      // Modules forget their pairing when they see this 404: it is never the answer to trouble of ours.
      if (!known) throw new ProblemError('not_found', 'No account has paired a world by this id.');
      const presence = (await cluster.directory.find([clientId]).catch(unavailable)).get(clientId);
      return { active: presence !== undefined && !presence.moving };
    },
  );
}

function unavailable(cause: unknown): never {
  const detail =
    cause instanceof ClusterUnavailable
      ? 'Which worlds are online cannot be told at the moment.'
      : 'The list of worlds cannot be read at the moment.';
  throw new ProblemError('unavailable', detail, { cause });
}
