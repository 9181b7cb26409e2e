import { ClusterUnavailable } from '@tabletop-relay/cluster';
import { ProblemError } from '../problem.ts';

/** What a stream is answered with while the cluster’s store is away. */
export function unavailable(cause: unknown): never {
  if (!(cause instanceof ClusterUnavailable)) throw cause;
  throw new ProblemError('unavailable', 'Events cannot be followed at the moment.', { cause });
}
