import { describe, expect, it } from 'vitest';
import { reasonInWords } from './refusal-words.ts';

describe('the words of a refusal without a code', () => {
  it.each([
    ['Insufficient gp: has 3, needs 10', 'insufficient_funds'],
    ['Not enough gp', 'insufficient_funds'],
    ['No tokens selected', 'nothing_selected'],
    ['User does not have permission to modify this actor', 'permission_denied'],
    ['You are not allowed to do that', 'permission_denied'],
    ['User must be GM to start an encounter', 'permission_denied'],
    ['Only GMs may do this', 'permission_denied'],
    ['User not found: bob', 'user_not_found'],
    ['No active encounter', 'encounter_not_found'],
    ['Combat abc does not exist', 'encounter_not_found'],
    ['Actor not found', 'entity_not_found'],
    ['Item "Sword" not found on actor', 'entity_not_found'],
    ['Could not find token', 'entity_not_found'],
    ['The scene doesn’t exist', 'entity_not_found'],
  ])('%s: %s', (text, reason) => {
    expect(reasonInWords(text)).toBe(reason);
  });

  it.each(['', 'Something broke', 'The gate is notfound', 'Cannot read properties of undefined', 'Founded'])(
    '%s: nothing',
    (text) => {
      expect(reasonInWords(text)).toBeUndefined();
    },
  );

  it('are read in no time, however long and odd they are', () => {
    const texts = [`user ${'no user not '.repeat(100_000)}`, 'combat '.repeat(100_000)];
    reasonInWords('warm');
    const started = performance.now();
    for (const text of texts) reasonInWords(text);
    expect(performance.now() - started).toBeLessThan(50);
  });
});
