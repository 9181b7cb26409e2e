import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Value } from 'typebox/value';
import { startWorker, WorkerConfigSchema } from '../../../worker/src/index.ts';
import type { Worker, WorkerConfig } from '../../../worker/src/index.ts';
import type { TestInstances } from '../instances.ts';

/** A worker beside the instances, with short waits. Its receivers are on loopback. */
export function startTestWorker(
  { databaseUrl, ownerUrl }: Pick<TestInstances, 'databaseUrl' | 'ownerUrl'>,
  config: Partial<WorkerConfig> = {},
): Promise<Worker> {
  return startWorker({
    config: Value.Default(WorkerConfigSchema, {
      databaseUrl,
      migrateDatabaseUrl: ownerUrl,
      relaySecret: ['a secret for tests; long enough.'],
      outboundAllow: ['127.0.0.1'],
      ...config,
    }) as WorkerConfig,
    log: pino({ level: 'silent' }),
    registry: new Registry(),
    notifierTimes: { everyMs: 20, settleMs: 0 },
  });
}
