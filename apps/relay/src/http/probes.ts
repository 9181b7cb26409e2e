import type { Cluster } from '@tabletop-relay/cluster';
import type { Tables } from '@tabletop-relay/database';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { Type } from 'typebox';

export interface ProbeDeps {
  db: Kysely<Tables>;
  cluster: Cluster;
  version: string;
  registration: 'open' | 'closed';
  isReady(): boolean;
}

const Check = Type.Enum(['up', 'down', 'degraded', 'not_used']);

/** What people and orchestrators ask of an instance. */
export function registerProbes(app: FastifyInstance, deps: ProbeDeps): void {
  const { cluster, db } = deps;
  const tags = ['service'];

  app.get(
    '/api/health',
    {
      config: { anyOrigin: true },
      schema: {
        tags,
        summary: 'Tell whether this instance and what it needs are well',
        response: {
          '2xx': Type.Object({
            status: Type.Enum(['ok', 'degraded']),
            instanceId: Type.String(),
            checks: Type.Object({ postgres: Check, redis: Check }),
          }),
        },
      },
    },
    async (_request, reply) => {
      const postgres = await isPostgresUp(db);
      const redis = cluster.health().state;
      const checks = { postgres: postgres ? 'up' : 'down', redis: redis === 'up' ? 'up' : 'degraded' };
      const ok = postgres && redis === 'up';
      return reply
        .code(ok ? 200 : 503)
        .send({ status: ok ? 'ok' : 'degraded', instanceId: cluster.instanceId, checks });
    },
  );

  app.get(
    '/api/status',
    {
      config: { anyOrigin: true },
      schema: {
        tags,
        summary: 'Tell the version and what this relay offers',
        response: {
          200: Type.Object({
            status: Type.Literal('ok'),
            version: Type.String(),
            instanceId: Type.String(),
            websocket: Type.String(),
            headless: Type.Boolean(),
            registration: Type.Enum(['open', 'closed']),
          }),
        },
      },
    },
    () => ({
      status: 'ok' as const,
      version: deps.version,
      instanceId: cluster.instanceId,
      websocket: '/relay',
      headless: false,
      registration: deps.registration,
    }),
  );

  app.get('/livez', { schema: { hide: true }, config: { anyHost: true, anyOrigin: true } }, () => ({
    status: 'ok',
  }));

  app.get(
    '/readyz',
    { schema: { hide: true }, config: { anyHost: true, anyOrigin: true } },
    (_request, reply) => {
      const ready = deps.isReady();
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
    },
  );
}

async function isPostgresUp(db: Kysely<Tables>): Promise<boolean> {
  const deadline = new Promise<boolean>((resolve) => setTimeout(resolve, 2_000, false).unref());
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  return await Promise.race([answer, deadline]);
}
