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
  ['no object', 'executeScript'],
])('%s carries none', (_what, data) => {
  expect(carriesScript(data)).toBe(false);
}); // prettier-ignore
