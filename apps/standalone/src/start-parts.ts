import { startBrowserHost } from '@tabletop-relay/browser-host';
import { createMetrics, isLoopbackHost } from '@tabletop-relay/process';
import type { Logger, Shutdown } from '@tabletop-relay/process';
import { startInstance } from '@tabletop-relay/relay';
import type { RelayConfig, RunningInstance } from '@tabletop-relay/relay';
import { startWorker } from '@tabletop-relay/worker';
import type { StandaloneConfig } from './config.ts';

export interface PartsOptions {
  config: StandaloneConfig;
  log: Logger;
  shutdown: Shutdown;
}

/** Starts the relay with its stores, the worker and the browser host. A shutdown ends each that has started. */
export async function startParts({ config, log, shutdown }: PartsOptions): Promise<RunningInstance> {
  const registry = createMetrics();
  const relayConfig = { ...config, ...offerDemoWorld(config) };
  const instance = await startInstance({
    config: relayConfig,
    log,
    registry,
    shutdown,
    signInLinks: isForOnePerson(config),
  });
  shutdown.onStop('relay', instance.stop);
  const { databaseUrl, migrateDatabaseUrl } = instance;
  const named = config.instanceId === undefined ? {} : { instanceId: config.instanceId };
  const worker = await startWorker({
    config: {
      ...config,
      databaseUrl,
      relaySecret: [...instance.secrets],
      ...(migrateDatabaseUrl && { migrateDatabaseUrl }),
      migrate: true,
      jobsAtOnce: 2,
    },
    log,
    registry,
    ...named,
  });
  shutdown.onStop('worker', worker.stop);
  const browserHost = await startBrowserHost({
    config: { ...config, databaseUrl },
    log,
    registry,
    ...named,
  });
  shutdown.onStop('browser host', browserHost.stop);
  return instance;
}

/** As `pnpm start` comes: with the demo, its own Postgres, and reached from this machine alone. */
const isForOnePerson = ({ demo, databaseUrl, redisUrl, publicUrl, host }: StandaloneConfig): boolean =>
  demo &&
  databaseUrl === undefined &&
  redisUrl.length === 0 &&
  publicUrl === undefined &&
  isLoopbackHost(host);

/**
 * The demo world that the dashboard offers: ours, unless the settings name another. One on any free port has no address yet,
 * and for those who come by PUBLIC_URL localhost is a machine of their own.
 */
function offerDemoWorld({
  demo,
  demoPort,
  demoWorldUrl,
  publicUrl,
}: PartsOptions['config']): Pick<RelayConfig, 'demoWorldUrl'> {
  if (demoWorldUrl !== undefined) return { demoWorldUrl };
  return demo && demoPort !== 0 && publicUrl === undefined
    ? { demoWorldUrl: `http://localhost:${demoPort}/` }
    : {};
}
