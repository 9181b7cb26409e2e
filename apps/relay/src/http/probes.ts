import type { Cluster } from '@tabletop-relay/cluster';
import { idempotencyKeptMs, serviceEndpoints } from '@tabletop-relay/contract';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { PostgresHealth } from '../instances/postgres-health.ts';
import type { HttpSettings } from './http-settings.ts';
import { serve } from '../endpoint-handler.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';

export interface ProbeDeps {
  cluster: Cluster;
  isReady(): boolean;
  postgresHealth(): Promise<PostgresHealth>;
}

const Check = Type.Enum(['up', 'down', 'degraded', 'read_only', 'not_used']);

const Health = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded']),
    instanceId: Type.String(),
    checks: Type.Object({ postgres: Check, redis: Check }),
  },
  { title: 'Health' },
);

/** The version, and what this relay offers. */
export function serveService(deps: {
  cluster: Cluster;
  version: string;
  settings: Pick<HttpSettings, 'demoWorldUrl'> & { registration: 'open' | 'closed' };
}): ServedEndpoint[] {
  return serve(serviceEndpoints, {
    getStatus: () => ({
      status: 'ok',
      version: deps.version,
      instanceId: deps.cluster.instanceId,
      websocket: '/relay',
      headless: true,
      idempotencyKeptMs,
      registration: deps.settings.registration,
      demoWorld: deps.settings.demoWorldUrl ?? null,
    }),
  });
}

/** The health of an instance, for people and orchestrators. */
export function registerProbes(app: FastifyInstance, deps: ProbeDeps): void {
  const { cluster } = deps;
  const tags = ['service'];

  app.get(
    '/api/health',
    {
      config: { anyOrigin: true },
      schema: {
        tags,
        operationId: 'getHealth',
        summary: 'Tell whether this instance and what it needs are well',
        response: {
          200: { ...Health, 'x-response-description': 'All is well.' },
          503: {
            ...Health,
            'x-response-description':
              '`checks` says what is away. Calls that do without it still work. Postgres may be `read_only` (a replica, or set ' +
              'so: what changes nothing works) or `degraded` (records wait: its disk is full, or it is too slow).',
          },
        },
      },
    },
    async (_request, reply) => {
      const postgres = await deps.postgresHealth();
      const { state, isAlone } = cluster.health();
      const isUp = state === 'up';
      const redis = isUp ? 'up' : 'degraded';
      const checks = { postgres, redis: isAlone ? 'not_used' : redis };
      const ok = postgres === 'up' && isUp;
      return reply
        .code(ok ? 200 : 503)
        .send({ status: ok ? 'ok' : 'degraded', instanceId: cluster.instanceId, checks });
    },
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
