import { describe, expect, it } from 'vitest';
import { addressBlock, addressPrefixes, normalizeAddress, parseIpAllowlist } from './addresses.ts';

function allows(list: string, address: string): boolean {
  const parsed = parseIpAllowlist(list);
  if ('badEntry' in parsed) throw new Error(`bad entry ${parsed.badEntry}`);
  return parsed.allows(address);
}

describe('an IP allowlist', () => {
  it.each([
    ['', '203.0.113.9', true],
    ['203.0.113.9', '203.0.113.9', true],
    ['203.0.113.9', '203.0.113.10', false],
    ['203.0.113.0/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.0', false],
    ['203.0.113.9', '::ffff:203.0.113.9', true],
    ['::ffff:203.0.113.9', '203.0.113.9', true],
    ['::ffff:203.0.113.0/120', '203.0.113.77', true],
    ['::ffff:203.0.113.0/120', '203.0.114.77', false],
    ['2001:db8::/32', '2001:db8:1::5', true],
    ['2001:db8::/32', '2001:db9::5', false],
    ['2001:DB8:0:0::1', '2001:db8::1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    [' 10.0.0.0/8 ,, 2001:db8::1 ', '2001:db8::1', true],
    ['10.0.0.0/8', 'not an address', false],
    ['203.0.113.9', '2001:db8::1', false],
    ['::ffff:0.0.0.0/96', '203.0.113.1', true],
    ['::ffff:0.0.0.0/95', '203.0.113.1', false],
    ['203.0.113.9,203.0.113.11', '203.0.113.11', true],
  ])('%j lets %s in: %s', (list, address, expected) => {
    expect(allows(list, address)).toBe(expected);
  });

  it.each([
    '10',
    '10.0.0.1/33',
    '1.2.3',
    '0x7f.0.0.1',
    '300.1.1.1',
    '10.0.0.0/',
    'localhost',
    '2001:db8::/129',
    '::1%eth0/64',
  ])('names %j as an entry that is none', (entry) => {
    expect(parseIpAllowlist(`10.0.0.1, ${entry}`)).toEqual({ badEntry: entry });
  });
});

it('an IPv4 address in IPv6 clothing is the IPv4 address', () => {
  expect(normalizeAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
});

it('one household is an IPv4 address or an IPv6 /64', () => {
  expect(addressBlock('192.0.2.1')).toBe('192.0.2.1');
  expect(addressBlock('2001:db8:1:2:3::4')).toBe(addressBlock('2001:db8:1:2:ffff::1'));
  expect(addressBlock('2001:db8:1:2::1')).not.toBe(addressBlock('2001:db8:1:3::1'));
});

it('an address counts under itself; over IPv6 under its /64, and under its /48 with four times the limit', () => {
  expect(addressPrefixes('::ffff:192.0.2.1')).toEqual([{ block: '192.0.2.1', times: 1 }]);
  expect(addressPrefixes('2001:db8:1:2:3::4')).toEqual([
    { block: '2001:db8:1:2::/64', times: 1 },
    { block: '2001:db8:1::/48', times: 4 },
  ]);
});

it('a list is kept in one form, and what is no address stays as it is', () => {
  expect(parseIpAllowlist(' 10.0.0.0/8 ,, 2001:db8::1 ')).toMatchObject({ text: '10.0.0.0/8, 2001:db8::1' });
  expect(normalizeAddress('unknown')).toBe('unknown');
  expect(addressPrefixes('unknown')).toEqual([{ block: 'unknown', times: 1 }]);
});
