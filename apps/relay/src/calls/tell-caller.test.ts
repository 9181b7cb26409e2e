import { expect, test } from 'vitest';
import type { Principal } from '../keys/authenticate.ts';
import type { TokenPrincipal } from '../worlds/authenticate-token.ts';
import { askedBy, createTellCaller } from './command.ts';
import type { AskedBy } from './command.ts';

const tellCaller = createTellCaller(['a secret']);
const key = (more: object = {}) =>
  askedBy({ kind: 'scoped', keyId: 'key-1', keyName: 'Bot', ...more } as Principal);

test('a key has one id in one world, and another in each other world', () => {
  const told = tellCaller(key(), 'world-1');
  expect(told).toEqual({
    id: expect.stringMatching(/^[\w-]{22}$/) as string,
    name: 'Bot',
    kind: 'key',
    via: 'http',
  });
  expect(tellCaller(key(), 'world-1')).toEqual(told);
  const ids = [
    told?.id,
    tellCaller(key(), 'world-2')?.id,
    tellCaller(key({ keyId: 'key-2' }), 'world-1')?.id,
    createTellCaller(['another secret'])(key(), 'world-1')?.id,
  ];
  expect(new Set(ids).size).toBe(4);
});

test('a name is plain text of at most 60 letters, whoever wrote it', () => {
  expect(key({ keyName: `A\n\u202Eb${'\u{1F3B2}'.repeat(80)}` }).name).toBe(`A b${'\u{1F3B2}'.repeat(57)}`);
});

test('a master key and another world are told apart', () => {
  expect(tellCaller(key({ kind: 'master' }), 'w')).toMatchObject({ kind: 'masterKey', via: 'http' });
  const world = askedBy({ tokenId: 't', name: 'Chrome' } as TokenPrincipal);
  expect(tellCaller(world, 'w')).toMatchObject({ name: 'Chrome', kind: 'world', via: 'module' });
});

test.each([undefined, { holderId: 'k', name: 'n', kind: 'later' as AskedBy['kind'] }])(
  'an instance of another release that says %j tells nothing',
  (asked) => {
    expect(tellCaller(asked, 'w')).toBeUndefined();
  },
);
