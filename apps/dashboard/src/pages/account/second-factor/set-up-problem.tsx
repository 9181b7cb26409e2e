import type { RelayError } from '@tabletop-relay/sdk';
import { messageAt } from '../../../parts/problem.tsx';

/** The second step of a set-up that waited too long begins again. */
export function TooLate() {
  return (
    <div role="alert">
      <p class="notice warn">
        <strong>That took too long.</strong> Start again and give your password once more.
      </p>
    </div>
  );
}

/** The relay waits a few minutes between the two steps, and takes the second one once. */
export const isTooLate = (problem: RelayError | undefined) => messageAt(problem, 'setup') !== undefined;
