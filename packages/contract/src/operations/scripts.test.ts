import { expect, test } from 'vitest';
import { carriesScript } from './scripts.ts';

const behavior = { type: 'executeScript', system: { source: 'game.togglePause()' } };

test.each([
  ['a scene with a region that runs a script', { regions: [{ name: 'Trap', behaviors: [behavior] }] }],
  ['a region’s behaviours by their path', { 'regions.0.behaviors': [behavior] }],
  ['a behaviour that becomes one that runs', { type: 'executeScript' }],
  ['the same by its path', { 'x.type': 'executeMacro' }],
  ['a name with several marks between its words', { 'a--script': 'x' }],
  ['an adventure with macros', { macros: [{ name: 'Wave', command: 'return 1' }] }],
  ['an item with a macro of a module', { items: [{ flags: { itemacro: { macro: { command: 'x' } } } }] }],
  ['an effect that names a macro', { 'flags.dae.macro': { name: 'x' } }],
  ['a hook of a module', { flags: { 'midi-qol': { onUseMacroName: 'Wave' } } }],
  ['scripts of a system', { effects: [{ system: { scriptData: [{ script: 'x' }] } }] }],
  ['calls of a system', { system: { scriptCalls: [{ value: 'x' }] } }],
  ['an effect that runs a macro by its key', { changes: [{ key: 'macro.execute', mode: 0, value: 'Wave' }] }],
  ['the same by its path', { 'effects.0.changes.0.key': 'flags.midi-qol.onUseMacroName' }],
  ['an effect whose value names what it runs', { changes: [{ key: 'flags.midi-qol.OverTime', value: 'turn=end, macro=Wave' }] }],
  ['the same by its path', { 'changes.0.key': 'flags.midi-qol.OverTime', 'changes.0.value': 'turn=end, macro=Wave' }],
  ['an effect that gives a module its code by paths', { 'effects.0.changes.0.key': 'flags.module.code' }],
  ['an effect that gives a module its code', { changes: [{ key: 'flags.module.code', mode: 5, value: 'x' }] }],
  ['code', { flags: { module: { code: 'game.togglePause()' } } }],
  ['code in lines', { code: ['game', '.togglePause()'] }],
  ['code below its name', { code: { value: 'game.togglePause()' } }],
  ['the code of a module', { flags: { module: { onHitCode: 'game.togglePause()' } } }],
  ['code to run, in one word', { runcode: 'x' }],
  ['code to run, in two', { flags: { 'my-module': { 'run-code': 'x' } } }],
  ['a macro to run, in one word', { runmacro: 'Wave' }],
  ['a macro to run, in capitals', { RUNMACRO: 'Wave' }],
  ['a script to run, in one word', { runscript: 'x' }],
  ['a command', { items: [{ flags: { module: { command: 'x' } } }] }],
  ['a command by its path', { 'flags.module.command': 'x' }],
  ['commands', { commands: [{ run: 'x' }] }],
  ['JavaScript', { javascript: 'x' }],
  ['what is evaluated', { flags: { module: { evalOnUse: 'x' } } }],
])('%s carries a script', (_what, data) => {
  expect(carriesScript(data)).toBe(true);
}); // prettier-ignore

test.each([
  ['a scene as it is', { name: 'Crypt', regions: [{ name: 'Pool', behaviors: [] }], macros: [], macro: null }],
  ['a description', { system: { description: { value: 'A script on the wall' }, 'description.chat': 'x' } }],
  ['a type like any other', { type: 'teleportToken', items: [{ type: 'weapon' }] }],
  ['fields of a system', { system: { disciplines: { command: { value: 3 } }, subscription: 1 } }],
  ['the name of such a type elsewhere', { name: 'executeScript' }],
  ['a type that is no text', { type: ['executeScript'] }],
  ['an empty script', { script: '' }],
  ['a macro whose fields are empty', { system: { activities: { a: { macroData: { name: '', command: '' } } } } }],
  ['an effect that changes a number', { changes: [{ key: 'system.attributes.ac.bonus', mode: 2, value: '1' }] }],
  ['the same by its path', { 'changes.0.key': 'system.attributes.ac.bonus', 'changes.0.value': '1' }],
  ['a description by its path', { 'system.description.value': 'The script = a riddle' }],
  ['the key of a name', { key: 'prc', label: 'Macrobiotics of the swamp' }],
  ['how fast somebody runs', { system: { attributes: { movement: { run: 60, walk: '30' } } } }],
  ['the code of a colour', { system: { colorCode: '#ff0000' } }],
  ['a code of numbers', { errorCode: 3, code: 0, command: false }],
  ['words that only sound so', { system: { postcode: 'x', commander: 'Ada', decoder: 'x', executive: 'x' } }],
  ['no object', 'executeScript'],
])('%s carries none', (_what, data) => {
  expect(carriesScript(data)).toBe(false);
}); // prettier-ignore

// It took more than a minute, in which the instance stood still.
test('a value of a million letters that could begin the name of a macro is looked at at once', () => {
  const startedAt = performance.now();
  for (const value of ['macro'.repeat(200_000), 'script '.repeat(150_000), `macro${' '.repeat(1_000_000)}`])
    expect(carriesScript({ changes: [{ key: 'system.ac', value }] })).toBe(false);
  expect(carriesScript({ changes: [{ key: 'system.ac', value: `${'macro'.repeat(200_000)} =x` }] })).toBe(
    true,
  );
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('a path of millions of parts is not taken apart', () => {
  const startedAt = performance.now();
  expect(carriesScript({ [`${'.'.repeat(4_000_000)}keycode`]: 1 })).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test.each([
  ['an empty text', ''],
  ['a number', 0],
])('%s below thirty names is not looked at for each of them', (_what, value) => {
  let looks = 0;
  let data: object = Object.defineProperty({}, 'k', { enumerable: true, get: () => (looks++, value) });
  for (let depth = 0; depth < 30; depth++) data = { code: data };
  expect(carriesScript(data)).toBe(false);
  expect(looks).toBeLessThan(5);
});
