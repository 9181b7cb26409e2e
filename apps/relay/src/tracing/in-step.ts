import { codeOf } from '../problem.ts';
import type { Step } from './tracing.ts';

/** Runs a part of a call within its step, and ends the step as the part ended. */
export async function inStep<T>(step: Step, run: () => Promise<T>): Promise<T> {
  try {
    const value = await run();
    step.end('ok');
    return value;
  } catch (error) {
    step.end(codeOf(error));
    throw error;
  }
}
