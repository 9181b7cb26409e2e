import { expect, test } from 'vitest';
import { remoteRequestOutcomes, remoteRequestWords } from './remote-requests.ts';

const log = { sourceTokenName: 'Firefox on Linux', action: 'skill-check', outcome: 'ok', attempts: 1 };
const worlds = { source: 'The Sunken Chapel', target: 'The Attic' };

test.each([...Object.keys(remoteRequestOutcomes), 'internal', 'toString'])(
  'a request that ended in %s reads as one sentence',
  (outcome) => {
    expect(remoteRequestWords({ ...log, outcome }, worlds).sentence).toMatch(
      /^The Sunken Chapel in Firefox on Linux asked The Attic for skill-check( and|, but) [^.]*[^.]\.$/,
    );
  },
);

test('one request says no number', () => {
  expect(remoteRequestWords(log, worlds).sentence).not.toContain('times');
});

test('requests that were counted together say how many they were', () => {
  const counted = { sourceTokenName: '', action: '', outcome: 'rate_limited', attempts: 1200 };
  expect(remoteRequestWords(counted, worlds)).toEqual({
    tone: 'bad',
    word: 'Refused',
    sentence:
      'The Sunken Chapel asked The Attic for something, but had asked too often, 1,200 times within a minute.',
  });
});
