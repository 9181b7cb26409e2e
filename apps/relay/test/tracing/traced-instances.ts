import { propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createModule, memoryStorage, OperationRefused } from '@tabletop-relay/module-sdk';
import type { CommandContext, TabletopModule } from '@tabletop-relay/module-sdk';
import { startRedis } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { startCollector } from './collector.ts';
import type { Collector } from './collector.ts';
import { traceCommand } from './trace-command.ts';

export interface TracedInstances {
  collector: Collector;
  /** Two that trace every call, on one Redis and one database. */
  traced: TestInstances;
  /** One beside them that traces none, like one of an older version. */
  plain: TestInstances;
  account: TestAccount;
  key: string;
  /** Their addresses: both traced ones, then the other. */
  urls: [first: string, second: string, plain: string];
  stop(): Promise<void>;
}

export async function startTraced(): Promise<TracedInstances> {
  const [redis, collector] = await Promise.all([startRedis(), startCollector()]);
  const traced = await startInstances({
    count: 2,
    redis: [redis.url],
    config: {
      otelExporterOtlpEndpoint: collector.url,
      otelExporterOtlpHeaders: ['x-collector-token=a%20token'],
      otelTracesSamplerArg: 1,
      otelBspScheduleDelay: 10,
    },
  });
  const plain = await startInstances({ redis: [redis.url], databaseUrl: traced.databaseUrl });
  const urls = [...traced.instances, ...plain.instances].map(({ url }) => url) as TracedInstances['urls'];
  const account = await createAccount(urls[0]);
  return {
    collector,
    traced,
    plain,
    account,
    urls,
    key: await account.createKey(),
    async stop() {
      await plain.stop();
      await traced.stop();
      await collector.stop();
      await redis.stop();
    },
  };
}

/** What a module with OpenTelemetry does at its start, with the same collector as the relays. */
export function setUpModuleTraces({ url }: Collector): void {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` });
  const resource = resourceFromAttributes({ 'service.instance.id': 'module' });
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  trace.setGlobalTracerProvider(new TracerProvider({ resource, spanProcessors }));
}

export interface TracedWorld {
  module: TabletopModule;
  /** What its handler was given. */
  seen: { parameters: object; context: CommandContext }[];
}

/** Connects a world on our module SDK. It answers skill checks and refuses to tell its players. */
export async function connectWorld(url: string, { clientId, token }: Pairing): Promise<TracedWorld> {
  const seen: TracedWorld['seen'] = [];
  const system = { systemId: 'dnd5e', systemTitle: 'Fifth Edition', systemVersion: '5' };
  const module = createModule({
    world: { worldId: 'w', worldTitle: 'A world', tabletopVersion: '13', ...system },
    storage: memoryStorage({ clientId, connectionToken: token }),
    url,
    trace: traceCommand,
    handlers: {
      'skill-check'(parameters, context) {
        seen.push({ parameters, context });
        return { data: { ...parameters, total: 12, formula: '1d20', result: '12' } };
      },
      players() {
        throw new OperationRefused('Not now', 'permission_denied');
      },
    },
  });
  await module.connect();
  return { module, seen };
}
