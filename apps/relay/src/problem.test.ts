import { expect, it } from 'vitest';
import { ProblemError } from './problem.ts';

it('a refusal takes no stack, and errors made after it have theirs', () => {
  const cause = new Error('nobody foresaw it');
  const problem = new ProblemError('internal', undefined, { cause });
  expect(problem.stack).not.toContain('    at ');
  expect((problem.cause as Error).stack).toContain('problem.test.ts');
  expect(new Error('the next').stack).toContain('problem.test.ts');
});
