import type { Asked } from '@tabletop-relay/cluster';
import type { Operation } from '@tabletop-relay/contract';
import type { RelayMetrics } from '../metrics.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';

/** Measures how long a world takes with a call, however it ends, and returns the call as it is. */
export type TimeWorld = (operation: Operation, asked: Asked<WorldReply>) => Asked<WorldReply>;

/** The time of a world whose call failed, by the failure. */
const ofFailures = new WeakMap<object, number>();

/** How long the world took until this failure; undefined where it was not asked. */
export function worldTimeOf(failure: unknown): number | undefined {
  return typeof failure === 'object' && failure !== null ? ofFailures.get(failure) : undefined;
}

export function setWorldTimeOf(failure: object, worldMs: number): void {
  ofFailures.set(failure, worldMs);
}

/**
 * The rest of a call's time is the relay's: `relay_call_seconds`. Measured where the socket is, once for the metrics and for
 * the caller's instance, to which the figure goes with the reply.
 */
export function timeWorlds(
  { worldSeconds }: Pick<RelayMetrics, 'worldSeconds'>,
  operations: readonly Operation[],
): TimeWorld {
  const byName = new Map(operations.map(({ name }) => [name, worldSeconds.tally({ operation: name })]));
  return (operation, asked) => {
    const since = performance.now();
    const observe = () => {
      const worldMs = Math.round((performance.now() - since) * 1_000) / 1_000;
      byName.get(operation.name)?.observe(worldMs / 1_000);
      return worldMs;
    };
    // Whoever awaits this reply does so later, and finds the time in it.
    asked.reply.then(
      (reply) => (reply.worldMs = observe()),
      (failure: object) => setWorldTimeOf(failure, observe()),
    );
    return asked;
  };
}
