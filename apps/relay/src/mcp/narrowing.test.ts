import { operations } from '@tabletop-relay/contract';
import { describe, expect, it, test } from 'vitest';
import type { Principal } from '../keys/authenticate.ts';
import { leaves, narrow, readNarrowing } from './narrowing.ts';

const wide = { world: undefined, user: undefined, isReadOnly: false, tools: 'table' };

test.each([
  [{}, [], wide],
  [
    { world: 'w', as: 'ben', readonly: '1', tools: 'all' },
    [],
    { world: 'w', user: 'ben', isReadOnly: true, tools: 'all' },
  ],
  [{}, ['world=w', 'as=ben'], { ...wide, world: 'w', user: 'ben' }],
  [{ world: 'w' }, ['world=w', 'readonly=true'], { ...wide, world: 'w', isReadOnly: true }],
  [{ tools: 'read' }, [], { ...wide, isReadOnly: true, tools: 'all' }],
  [{ tools: 'chat, rolls' }, [], { ...wide, tools: new Set(['chat', 'rolls']) }],
  [{ readonly: '0' }, [], wide],
  [{ clientId: 'w' }, ['world=w'], { ...wide, world: 'w' }],
])('the query %j and the path %j narrow', (query, parts, expected) => {
  expect(readNarrowing(query, parts)).toEqual(expected);
});

test.each([
  ['world', { world: 'w' }, ['world=other']],
  ['world', { clientId: 'w', world: 'other' }, []],
  ['world', { world: ['w', 'other'] }, []],
  ['world', {}, ['world=']],
  ['tools', { tools: 'chat,nothing' }, []],
  ['tools', { tools: 'chat' }, ['tools=rolls']],
  ['readonly', { readonly: 'maybe' }, []],
  ['readonly', { readonly: '' }, []],
  ['read_only', { read_only: '1' }, []],
  ['readonly', {}, ['readonly']],
  ['as', { world: 'w', as: 'u'.repeat(257) }, []],
  ['world', { world: 'w'.repeat(129) }, []],
])('a wrong or doubled %s is refused, for it may not widen', (field, query, parts) => {
  expect(() => readNarrowing(query, parts)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      fields: { errors: [expect.objectContaining({ field }) as unknown] },
    }),
  );
});

const key = {
  keyId: 'key',
  clientIds: new Set(['w', 'v']),
  actingUserIds: null,
  scopes: new Set(['entity:read', 'script:execute']),
  scopesByHand: true,
} as unknown as Principal;
const bound = { ...key, actingUserIds: new Map([['w', 'ben'], ['v', 'ana']]) } as Principal; // prettier-ignore
const address = (query: object) => readNarrowing(query, []);

describe('a key at a narrowed address', () => {
  it('is itself where the address says nothing', () => {
    expect(narrow(key, address({ readonly: '1' }))).toBe(key);
  });

  it('reaches the one world', () => {
    expect(narrow(key, address({ world: 'v' })).clientIds).toEqual(new Set(['v']));
    expect(narrow({ ...key, clientIds: null }, address({ world: 'x' })).clientIds).toEqual(new Set(['x']));
  });

  it('acts as the user, without what no user does', () => {
    expect(narrow(key, address({ world: 'w', as: 'ben' }))).toMatchObject({
      clientIds: new Set(['w']),
      actingUserIds: new Map([['w', 'ben']]),
      scopes: new Set(['entity:read']),
    });
    expect(narrow(bound, address({ world: 'w', as: 'ben' })).actingUserIds).toEqual(new Map([['w', 'ben']]));
  });

  it.each([{}, { world: 'w' }, { world: 'w', as: 'ben' }])(
    'is without the scopes that no person gave it by hand: %j',
    (query) => {
      const { scopes } = narrow({ ...key, scopesByHand: false }, address(query));
      expect(scopes).toEqual(new Set(['entity:read']));
    },
  );

  it.each([
    ['client_not_found', key, { world: 'x' }],
    ['client_not_found', { ...key, clientIds: new Set<string>() }, { world: 'w' }],
    ['invalid_request', key, { as: 'ben' }],
    ['invalid_request', { ...key, clientIds: null }, { as: 'ben' }],
    ['acting_user_fixed', bound, { world: 'w', as: 'ana' }],
  ])('is refused with %s where the address asks for more', (code, principal, query) => {
    expect(() => narrow(principal, address(query))).toThrow(expect.objectContaining({ code }));
  });
});

test('queries alone, or groups alone, are left of the operations', () => {
  const left = (query: object) => operations.filter((operation) => leaves(address(query), operation));
  expect(left({ readonly: '1' }).every(({ kind }) => kind === 'query')).toBe(true);
  expect(left({ readonly: '1' })).toHaveLength(27);
  expect(new Set(left({ tools: 'chat,rolls' }).map(({ group }) => group))).toEqual(
    new Set(['chat', 'rolls']),
  );
  expect(left({ tools: 'table' })).toHaveLength(operations.length);
});
