import type { Asked } from '@tabletop-relay/cluster';
import { codeOf } from '../problem.ts';
import type { Step } from './tracing.ts';

/** Asks, and ends the step when the answer is there or the question has failed. */
export function inStep<T>(step: Step, ask: () => Asked<T>): Asked<T> {
  try {
    const asked = ask();
    asked.reply.then(
      () => step.end('ok'),
      (error: unknown) => step.end(codeOf(error)),
    );
    return asked;
  } catch (error) {
    step.end(codeOf(error));
    throw error;
  }
}
