import { expect, test } from 'vitest';
import { waitFor } from './wait-for.ts';

test('it gives the first result that is there, and takes a throw for "not yet"', async () => {
  let tries = 0;
  const result = await waitFor(() => {
    if (++tries === 1) throw new Error('not yet');
    return tries === 3 ? 'there' : undefined;
  });
  expect(result).toBe('there');
});

test('it gives up at its deadline and says what went wrong last', async () => {
  const broken = () => Promise.reject(new Error('refused'));
  await expect(waitFor(broken, { timeoutMs: 20 })).rejects.toMatchObject({ cause: new Error('refused') });
});
