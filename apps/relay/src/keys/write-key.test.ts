import { expect, it } from 'vitest';
import { givesByHand } from './write-key.ts';

it.each([
  [false, undefined],
  [false, ['script:execute', 'entity:read', 'chat:read']],
  [false, ['script:execute']],
  [false, ['script:execute', 'entity:read', 'chat:read', 'chat:write']],
  [true, ['script:execute', 'entity:read', 'chat:read', 'macro:execute']],
])('that a person gives assistants an audited scope is %s of a change to %j', (expected, given) => {
  expect(givesByHand(['entity:read', 'chat:read', 'script:execute'], given)).toBe(expected);
});
