import { describe, expect, test } from 'vitest';
import { errorsOf, messageOf, wireOf } from '../../test/reading.ts';

describe('two names of one parameter', () => {
  test.each(['encounter', 'encounterId'])('`%s` is what modules read as `encounterId`', (name) => {
    expect(wireOf('next-turn', { body: { [name]: 'ambush' } })).toEqual({ encounterId: 'ambush' });
    expect(wireOf('next-turn', { query: { [name]: 'ambush' } })).toEqual({ encounterId: 'ambush' });
  });

  test('both may be given when they agree', () => {
    const body = { tokens: ['a'], tokenUuids: ['a'] };
    expect(wireOf('start-encounter', { body })).toEqual({ tokenUuids: ['a'] });
  });

  test.each([[['b']], [['a', 'b']], [[]], ['a']])(
    '`tokens` of ["a"] and `tokenUuids` of %j disagree',
    (tokenUuids) => {
      const message = messageOf('start-encounter', { body: { tokens: ['a'], tokenUuids } }, 'tokenUuids');
      expect(message).toMatch(/must equal `tokens`/);
    },
  );

  test('the body wins under either name', () => {
    const source = { query: { encounter: 'a' }, body: { encounterId: 'b' } };
    expect(wireOf('next-turn', source)).toEqual({ encounterId: 'b' });
  });
});

describe('a list that clears', () => {
  test('may be empty where its flag is on', () => {
    const body = { uuids: [], overwrite: true };
    expect(wireOf('select', { body })).toEqual(body);
    expect(wireOf('select', { body: { uuids: '[]', overwrite: 'True' } })).toEqual(body);
  });

  test.each([
    { uuids: [] },
    { uuids: [], overwrite: false },
    { overwrite: true },
    { uuids: null, overwrite: true },
  ])('%j clears nothing', (body) => {
    expect(messageOf('select', { body }, 'uuids')).toMatch(/is missing: give at least one of|must be/);
  });
});

describe('what identifies', () => {
  test('UUID counts before name before selection, and the others are not sent', () => {
    const body = { actorUuid: 'a', actorName: 'Ada', selected: true };
    expect(wireOf('break-concentration', { body })).toEqual({ actorUuid: 'a' });
    expect(wireOf('break-concentration', { body: { actorName: 'Ada', selected: true } })).toEqual({
      actorName: 'Ada',
    });
    expect(wireOf('break-concentration', { body: { selected: true } })).toEqual({ selected: true });
  });

  test.each([{}, { selected: false }])('%j identifies nobody', (body) => {
    expect(messageOf('break-concentration', { body }, 'actorUuid')).toBe(
      'is missing: give one of `actorUuid`, `actorName`, `selected`',
    );
  });

  test('a list that names nothing does beside the selection, and not alone', () => {
    const body = { uuids: [], selected: true };
    expect(wireOf('add-to-encounter', { body })).toEqual(body);
    expect(messageOf('add-to-encounter', { body: { uuids: [] } }, 'uuids')).toMatch(/is missing/);
  });

  test('each group of a transfer is asked for', () => {
    const errors = errorsOf('transfer-currency', { body: { currency: { gp: 1 } } });
    expect(errors.map(({ field }) => field)).toEqual(['sourceActorUuid', 'targetActorUuid']);
  });

  test('a target may be left out, and its UUID counts before its name', () => {
    const use = { actorUuid: 'a', abilityName: 'Fire Bolt' };
    expect(wireOf('use-spell', { body: use })).toEqual(use);
    expect(wireOf('use-spell', { body: { ...use, targetUuid: 't', targetName: 'T' } })).toEqual({
      ...use,
      targetUuid: 't',
    });
  });

  test.each([
    ['select', { overwrite: true }],
    ['select', { all: false }],
    ['add-to-encounter', { rollInitiative: true }],
    ['remove-from-encounter', { selected: false }],
  ])('%s with %j asks for one at least', (name, body) => {
    expect(errorsOf(name, { body })).toEqual([
      expect.objectContaining({ message: expect.stringContaining('give at least one of') }),
    ]);
  });

  test('where one at least is needed several are all sent', () => {
    const body = { uuids: ['a'], selected: true };
    expect(wireOf('add-to-encounter', { body })).toEqual(body);
  });
});
