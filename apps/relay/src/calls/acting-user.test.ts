import { operations } from '@tabletop-relay/contract';
import { expect, test } from 'vitest';
import { commandOf } from './command.ts';

const players = operations.find(({ name }) => name === 'players')!;
const boundTo = (userId?: string) => ({
  scopes: [],
  actingUserIds: userId === undefined ? null : new Map([['world', userId]]),
});

test('a call whose key is bound to another user, or to nobody, while it comes is that one’s', () => {
  const wire: Record<string, unknown> = {};
  const call = { wire, givenUserId: undefined };
  const asked = (userId?: string) => commandOf(players, call, boundTo(userId), 'world').fieldsJson;
  expect(['cleo', 'ben', undefined, 'dev'].map(asked)).toEqual([
    '{"userId":"cleo"}',
    '{"userId":"ben"}',
    '{}',
    '{"userId":"dev"}',
  ]);
  expect(wire).toEqual({ userId: 'dev' });
});

test('a call that names its user is refused once its key is bound to another', () => {
  const call = { wire: { userId: 'cleo' }, givenUserId: 'cleo' };
  expect(commandOf(players, call, boundTo('cleo'), 'world').fieldsJson).toBe('{"userId":"cleo"}');
  expect(() => commandOf(players, call, boundTo('ben'), 'world')).toThrow(
    expect.objectContaining({ code: 'acting_user_fixed' }),
  );
});
