import type { Asked } from '@tabletop-relay/cluster';
import type { Operation } from '@tabletop-relay/contract';
import type { RelayMetrics } from '../metrics.ts';

/** Measures how long a world takes with a call, however it ends, and returns the call as it is. */
export type TimeWorld = <T>(operation: Operation, asked: Asked<T>) => Asked<T>;

/** The rest of a call's time is the relay's: `relay_call_seconds`. Measured where the socket is. */
export function timeWorlds(
  { worldSeconds }: Pick<RelayMetrics, 'worldSeconds'>,
  operations: readonly Operation[],
): TimeWorld {
  const byName = new Map(operations.map(({ name }) => [name, worldSeconds.labels(name)]));
  return (operation, asked) => {
    const since = performance.now();
    const observe = () => byName.get(operation.name)?.observe((performance.now() - since) / 1_000);
    asked.reply.then(observe, observe);
    return asked;
  };
}
