import { expect, test } from 'vitest';
import { connectionOutcomes, connectionWords } from './connection-outcomes.ts';

const log = {
  outcome: 'connected',
  worldTitle: 'The Sunken Chapel',
  tokenName: 'Firefox on Linux',
  metadataMatch: true,
  mismatch: [],
  attempts: 1,
};

test.each(Object.keys(connectionOutcomes))('an attempt that ended in %s reads as one sentence', (outcome) => {
  expect(connectionWords({ ...log, outcome }).sentence).toMatch(
    /^The Sunken Chapel in Firefox on Linux [a-z].*[^.]\.$/,
  );
});

test('a connection whose world changed since it paired asks to be looked at', () => {
  expect(connectionWords({ ...log, metadataMatch: false, mismatch: ['worldId', 'origin'] })).toEqual({
    tone: 'warn',
    word: 'Look',
    sentence:
      'The Sunken Chapel in Firefox on Linux connected, but its worldId and origin changed since it paired.',
  });
});

test('attempts that were counted together say how many they were', () => {
  const counted = { ...log, outcome: 'rate_limited', worldTitle: '', tokenName: '', attempts: 1200 };
  expect(connectionWords(counted).sentence).toBe(
    'A world was refused: too many attempts from its address, 1,200 times within a minute.',
  );
});

test.each(['expired', 'toString'])('the unknown outcome %s is shown by its name', (outcome) => {
  expect(connectionWords({ ...log, outcome })).toMatchObject({ tone: 'warn', word: outcome });
});
