import type { CallRecord } from '@tabletop-relay/contract';
import { expect, it } from 'vitest';
import { callWords, findOperation } from './call-words.ts';

const words = (more: Partial<CallRecord>) =>
  callWords({ keyName: 'Bot', operation: 'skill-check', outcome: 'ok', standsFor: 1, ...more } as CallRecord);

it('a call says who did what, and for how many like it it stands', () => {
  const { tone, word, sentence } = words({});
  expect([tone, word]).toEqual(['good', 'Called']);
  expect(sentence).toMatch(/^Bot .+\.$/);
  expect(words({ standsFor: 2 }).sentence).toContain(', and 1 call like it.');
  expect(words({ standsFor: 5_001 }).sentence).toContain(', and 5,000 calls like it.');
  expect(words({ keyName: '' }).sentence).toBe(sentence.replace('Bot', 'A program'));
});

it('a call that is refused is a warning, one that failed is bad, and both say why', () => {
  const refused = words({ outcome: 'forbidden', standsFor: 3 });
  expect(refused).toMatchObject({ tone: 'warn', word: 'Refused' });
  expect(refused.sentence).toMatch(/^Bot .+: [a-z].*, and 2 calls like it\.$/);
  expect(words({ outcome: 'client_timeout' })).toMatchObject({ tone: 'bad', word: 'Failed' });
  expect(words({ outcome: 'Weird_new_code' })).toEqual({
    tone: 'bad',
    word: 'Failed',
    sentence: expect.stringMatching(/: weird_new_code\.$/) as string,
  });
  expect(words({ outcome: 'constructor' }).sentence).toMatch(/: constructor\.$/);
});

it('an operation that is no more is told by its name', () => {
  expect(findOperation('gone-by')).toBeUndefined();
  expect(findOperation('skill-check')?.name).toBe('skill-check');
  expect(words({ operation: 'gone-by' }).sentence).toBe('Bot called gone-by.');
  expect(words({ operation: 'gone-by', outcome: 'x' }).sentence).toBe('Bot called gone-by: x.');
});
