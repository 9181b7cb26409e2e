import { expect, test } from 'vitest';
import { connectionOutcomes, connectionWords, serverName } from './connection-outcomes.ts';

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

test('a program on a server is told as one, and no number where there was one attempt', () => {
  const { sentence } = connectionWords({ ...log, tokenName: serverName });
  expect(sentence).toBe('The Sunken Chapel on a server connected.');
});

test.each(['expired', 'toString'])('the unknown outcome %s is shown by its name', (outcome) => {
  expect(connectionWords({ ...log, outcome })).toMatchObject({ tone: 'warn', word: outcome });
});

test.each([
  [1001, /disconnected: its page was closed or loaded anew\.$/],
  [1006, /disconnected: the connection broke off/],
  [4002, /disconnected: its browser was unpaired\.$/],
  [4999, /disconnected\.$/],
  [null, /disconnected\.$/],
])('the end of a connection with the code %s is told with its reason', (closeCode, sentence) => {
  expect(connectionWords({ ...log, outcome: 'disconnected', closeCode }).sentence).toMatch(sentence);
});

test('the code of a connection that was refused gives no reason of its end', () => {
  expect(connectionWords({ ...log, outcome: 'token_invalid', closeCode: 4002 }).sentence).not.toMatch(
    /unpaired/,
  );
});

const pairedName = 'The Sunken Chapel';

test.each([
  ['duplicate', null],
  ['address_not_allowed', true],
  ['connected', false],
])('%s is told under the paired name, and the newcomer’s words as its own', (outcome, metadataMatch) => {
  const newcomer = { ...log, outcome, metadataMatch, pairedName, worldTitle: 'Free gold' };
  expect(connectionWords(newcomer).sentence).toMatch(
    /^The Sunken Chapel in Firefox on Linux .*\. It calls itself “Free gold”\.$/,
  );
});

test.each([
  ['connected', 'Another title'],
  ['duplicate', pairedName],
  ['duplicate', ''],
])('%s as “%s” is told without words of its own', (outcome, worldTitle) => {
  const { sentence } = connectionWords({ ...log, outcome, pairedName, worldTitle });
  expect(sentence).toMatch(/^The Sunken Chapel in Firefox on Linux [^“]*$/);
});
