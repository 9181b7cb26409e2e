import type { ErrorCode } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import type { RelayMetrics } from '../metrics.ts';
import type { TraceSettings } from './trace-settings.ts';

export interface TracingDeps {
  settings: TraceSettings;
  instanceId: string;
  version: string;
  metrics: Pick<RelayMetrics, 'spans'>;
  log: Logger;
}

/**
 * The steps of a call that have a span of their own. The first two begin it, by a caller or by a module; `bus` and `owner`
 * are the two ends of the way to another instance; `world` is the time until the module's answer.
 */
export type StepName = 'http' | 'remote-request' | 'bus' | 'owner' | 'world';

/** A step of a call that is traced. */
export interface Step {
  /** 32 hex digits. */
  readonly traceId: string;
  /** W3C Trace Context, for what comes next: it continues from this step. */
  readonly traceparent: string;
  /** A step within this one. `clientId` only of a world that is connected: any other is a text of the caller. */
  begin(name: StepName, operation: string, clientId?: string): Step;
  /** `ok`, or the code of a failure. Only the first call counts. */
  end(outcome: 'ok' | ErrorCode): void;
}

export interface CallStart {
  operation: string;
  /** As the caller sent it: not checked. */
  traceparent: unknown;
  /** How long the call has been under way, in milliseconds. */
  elapsedMs?: number;
}

export interface Tracing {
  /**
   * The first step of a call, or undefined if it is not sampled. Sampling ignores what the caller sent, so nobody has more calls
   * traced than others. A caller's `traceparent` only says which trace to continue.
   */
  begin(name: 'http' | 'remote-request', call: CallStart): Step | undefined;
  /** The owner's step of a call that another instance traces. */
  resume(operation: string, traceparent: string): Step;
  /** Sends what has ended, for a few seconds at most. */
  stop(): Promise<void>;
}
