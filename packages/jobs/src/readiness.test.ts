import { expect, it } from 'vitest';
import { answerWithin } from './readiness.ts';

it('a store that never answers is waited for no longer than it may take, and the reason is told where it is known', async () => {
  const silent = new Promise<never>(() => {});
  await expect(answerWithin(5, silent)).rejects.toThrow(/^no answer within 0\.005 s$/);
  await expect(answerWithin(5, silent, () => 'ECONNREFUSED')).rejects.toThrow(/: ECONNREFUSED$/);
  await expect(answerWithin(60_000, Promise.resolve('here'))).resolves.toBe('here');
});
