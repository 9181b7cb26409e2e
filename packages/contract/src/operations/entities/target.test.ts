import { expect, test } from 'vitest';
import { scopesForKind } from './target.ts';

test.each([
  ['a macro', { uuid: 'Macro.a' }, ['macro:write']],
  ['a new macro', { entityType: 'Macro' }, ['macro:write']],
  ['a macro of a compendium', { uuid: 'Compendium.world.tools.Macro.a' }, ['macro:write']],
  ['a document of a compendium that does not tell its kind', { uuid: 'Compendium.world.tools.a' }, ['macro:write']],
  ['a user', { uuid: 'User.a' }, ['user:write']],
  ['a new user', { entityType: 'User' }, ['user:write']],
  ['a setting', { entityType: 'Setting' }, ['script:execute']],
  ['the behaviour of a region', { uuid: 'Scene.a.Region.b.RegionBehavior.c' }, ['script:execute']],
  ['a scene that brings behaviours', { entityType: 'Scene', data: { regions: [{ behaviors: [{}] }] } }, ['script:execute']],
  ['a region by a dotted name', { uuid: 'Scene.a.Region.b', data: { 'behaviors.0.disabled': false } }, ['script:execute']],
  ['a scene with a bare region', { entityType: 'Scene', data: { regions: [{ name: 'behaviors' }] } }, []],
  ['an actor', { uuid: 'Actor.a' }, []],
  ['an item of a compendium', { uuid: 'Compendium.world.tools.Item.a' }, []],
  ['the selected tokens', { selected: true }, []],
  ['a scene, with a region that runs a script', { uuid: 'Scene.a', data: { regions: [{ behaviors: [{ type: 'executeScript' }] }] } }, ['script:execute']],
  ['an actor, with a command', { uuid: 'Actor.a', data: { command: 'x' } }, ['script:execute']],
  ['a macro, with a script that is not its own', { uuid: 'Macro.a', data: { command: 'x', flags: { module: { script: 'x' } } } }, ['macro:write', 'script:execute']],
  ['what may be a macro, with its command', { uuid: 'Compendium.world.tools.a', data: { command: 'x' } }, ['macro:write']],
  ['a macro, with a command', { uuid: 'Macro.a', data: { command: 'x', type: 'script' } }, ['macro:write']],
  ['the selected tokens, with a macro', { selected: true, data: { flags: { macro: 'x' } } }, ['script:execute']],
  ['a name of the language', { entityType: 'constructor' }, []],
])('changing %s', (_what, fields, scopes) => {
  expect(scopesForKind(fields)).toEqual(scopes);
}); // prettier-ignore
