import type { Tracing, TracingDeps } from './tracing.ts';

/** Undefined where no collector is set. The SDK of OpenTelemetry is not even loaded then. */
export async function startTracing(deps: TracingDeps): Promise<Tracing | undefined> {
  if (deps.settings.otelExporterOtlpEndpoint === undefined) return undefined;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing(deps);
}
