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
    ['execute-js is disabled in the module settings. A GM must enable it.', 'not_allowed'],
    ['Macro editing is disabled in this module’s settings', 'not_allowed'],
    ['Scripts cannot modify the settings of this module', 'not_allowed'],
    ['Error executing script: Actor not found', 'script_failed'],
    ['File already exists. Set overwrite to true', 'already_exists'],
    ['Actor ’Mira’ already has status ’prone’', 'already_exists'],
    ['Unknown status effect: bored. Available: prone', 'unknown_status'],
    ['Scene ’Crypt’ is not the currently viewed scene', 'not_viewed'],
    ['Scene ’Crypt’ has no background image', 'no_image'],
    ['Folder contains 3 entities', 'not_empty'],
    ['Cannot demote the last GM user', 'last_game_master'],
    ['Actor ’Ghoul’ does not have experience points', 'not_a_character'],
    ['The item has no charges', 'no_charges'],
    ['Failed to roll formula: junk', 'invalid_formula'],
    ['Attribute name is not a number, found: string', 'invalid_data'],
    ['Failed to download file: 404 Not Found', 'file_not_found'],
  ])('%s: %s', (text, reason) => {
    expect(reasonInWords(text)).toBe(reason);
  });

  it.each(['', 'Something broke', 'The gate is notfound', 'Cannot read properties of undefined', 'Founded'])(
    '%s: nothing',
    (text) => {
      expect(reasonInWords(text)).toBeUndefined();
    },
  );

  it.each([
    ['the one that the operation promises', 'The user may not: Actor not found', ['entity_not_found']],
    ['the first, where it promises none of them', 'No permission: Actor not found', []],
  ])('of several, %s counts', (_which, text, promised) => {
    const words = `${text}, and there is no permission`;
    expect(reasonInWords(words, promised)).toBe(promised[0] ?? 'permission_denied');
  });

  it('of a script’s own are its failure, and nothing for others', () => {
    expect(reasonInWords('The bell is cracked', ['script_failed'])).toBe('script_failed');
    expect(reasonInWords('The bell is cracked', ['permission_denied'])).toBeUndefined();
  });

  it('are read in no time, however long and odd they are', () => {
    const texts = [`user ${'no user not '.repeat(100_000)}`, 'combat '.repeat(100_000)];
    reasonInWords('warm');
    const started = performance.now();
    for (const text of texts) reasonInWords(text);
    expect(performance.now() - started).toBeLessThan(50);
  });
});
