import { createQuotas, createMemoryLedger } from '@tabletop-relay/limits';
import { afterEach, expect, test } from 'vitest';
import { createUnknownSecretLimit } from './unknown-secret-limit.ts';

const quotas = createQuotas({ ledger: createMemoryLedger('test') });
afterEach(() => quotas.stop());

test('an IPv6 address shares its limit with its /64, and a /48 has four times as much', async () => {
  const unknownSecrets = createUnknownSecretLimit({ max: 3, windowMs: 60_000 }, quotas);
  const spend = async (address: string, times: number) => {
    for (let time = 0; time < times; time++) await unknownSecrets.count(address);
  };
  const isSpent = (address: string) => unknownSecrets.waitS(address) > 0;
  await spend('2001:db8:1:1::a', 3);
  expect([isSpent('2001:db8:1:1::b'), isSpent('2001:db8:1:2::a')]).toEqual([true, false]);
  for (const subnet of [2, 3, 4, 5]) await spend(`2001:db8:1:${subnet}::a`, 2);
  expect(isSpent('2001:db8:1:6::a')).toBe(false);
  await spend('2001:db8:1:7::a', 1);
  expect([isSpent('2001:db8:1:6::a'), isSpent('2001:db8:2:6::a'), isSpent('192.0.2.1')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('who tried too many is told how long to wait', async () => {
  const unknownSecrets = createUnknownSecretLimit({ max: 2, windowMs: 60_000 }, quotas);
  expect([unknownSecrets.max, unknownSecrets.waitS('192.0.2.9')]).toEqual([2, 0]);
  await unknownSecrets.count('192.0.2.9');
  expect(unknownSecrets.waitS('192.0.2.9')).toBe(0);
  await unknownSecrets.count('192.0.2.9');
  expect(unknownSecrets.waitS('192.0.2.9')).toBe(60);
});
