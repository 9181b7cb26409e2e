import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createAddressGuard, pinTo } from './address-guard.ts';
import { checkOutbound } from './outbound-settings.ts';

const strict = createAddressGuard({ allow: [] });

describe('with no range allowed', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'this network'],
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'of a carrier'],
    ['100.100.100.200', 'metadata'],
    ['127.0.0.1', 'loopback'],
    ['127.9.9.9', 'loopback'],
    ['168.63.129.16', 'metadata at a public address'],
    ['169.254.1.1', 'link-local'],
    ['169.254.169.254', 'metadata'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'metadata'],
    ['192.0.2.1', 'documentation'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'benchmarks'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::7f00:1', 'IPv4 of old'],
    ['::ffff:127.0.0.1', 'mapped'],
    ['::ffff:7f00:1', 'mapped'],
    ['::ffff:169.254.169.254', 'mapped metadata'],
    ['0:0:0:0:0:ffff:0a00:0001', 'mapped'],
    ['::ffff:0:10.0.0.1', 'translated by SIIT'],
    ['64:ff9b::10.0.0.1', 'translated by NAT64'],
    ['64:ff9b::a9fe:a9fe', 'metadata translated by NAT64'],
    ['64:ff9b:1::8.8.8.8', 'NAT64 within a network'],
    ['2002:7f00:1::', '6to4'],
    ['2002:808:808::', '6to4'],
    ['2001:0:808:808::', 'Teredo'],
    ['2001:db8::1', 'documentation'],
    ['3fff::1', 'documentation'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'metadata'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['4000::1', 'unassigned'],
    ['2130706433', 'no written-out address'],
    ['134744072', 'no written-out address'],
    ['0x8.8.8.8', 'no written-out address'],
    ['8.8.8', 'no written-out address'],
    ['', 'nothing'],
  ])('%s is refused (%s)', (address) => {
    expect(strict.permits(address)).toBe(false);
  });

  it.each(['8.8.8.8', '172.32.0.1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2606:4700:4700::1111'])(
    '%s is permitted',
    (address) => {
      expect(strict.permits(address)).toBe(true);
    },
  );
});

describe('an allowed range', () => {
  it.each([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', true],
    ['10.0.0.0/8', '192.168.0.1', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['10.1.2.3/32', '10.1.2.3', true],
    ['128.0.0.0/1', '192.168.0.1', true],
    ['nonsense', '10.1.2.3', false],
    ['nonsense', '8.8.8.8', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['127.0.0.0/8', '::ffff:127.0.0.1', true],
    ['127.0.0.0/8', '64:ff9b::127.0.0.1', false],
    ['fd00::/8', 'fd12::1', true],
    ['169.254.0.0/16', '169.254.1.1', true],
    ['169.254.0.0/16', '169.254.169.254', false],
    ['169.254.169.254', '::ffff:169.254.169.254', false],
    ['64:ff9b::/96', '64:ff9b::169.254.169.254', false],
    ['64:ff9b::/96', '64:ff9b::10.0.0.1', true],
    ['fd00::/8', 'fd00:ec2::254', false],
  ])('%s lets %s pass: %s', (range, address, expected) => {
    expect(createAddressGuard({ allow: [range] }).permits(address)).toBe(expected);
  });

  it.each([
    '0.0.0.0/0',
    '::/0',
    '::ffff:0.0.0.0/96',
    '10.0.0.0/33',
    '10.0.0.0/1e1',
    '10',
    'localhost',
    '10.0.0.0/8/8',
    '::1%lo',
  ])('%s is no such range', (entry) => {
    expect(checkOutbound({ outboundAllow: ['10.0.0.0/8', entry] })).toEqual([
      `OUTBOUND_ALLOW must be addresses or CIDR ranges, /1 and longer, not "${entry}"`,
    ]);
  });

  it('that can be read is no problem of the settings', () => {
    expect(checkOutbound({ outboundAllow: ['10.0.0.0/8'] })).toEqual([]);
  });
});

describe('a host', () => {
  const leadingTo = (...addresses: string[]) =>
    createAddressGuard({
      allow: ['10.0.0.0/8'],
      lookup: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    });

  it('has the addresses that were checked', async () => {
    const checked = await leadingTo('8.8.8.8', '2606:4700:4700::1111').resolve('hooks.example');
    expect(checked).toEqual({
      host: 'hooks.example',
      addresses: [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700:4700::1111', family: 6 },
      ],
      isAllowedRange: false,
    });
  });

  it('is in an allowed range when all its addresses are', async () => {
    expect((await leadingTo('10.0.0.1').resolve('lan.example')).isAllowedRange).toBe(true);
    expect((await leadingTo('10.0.0.1', '8.8.8.8').resolve('lan.example')).isAllowedRange).toBe(false);
  });

  it('is refused when one of its addresses is', async () => {
    const refused = leadingTo('8.8.8.8', '192.168.0.1').resolve('split.example');
    await expect(refused).rejects.toMatchObject({ failure: 'address_refused' });
    await expect(refused).rejects.not.toThrow('192.168');
  });

  it('without an address is not found', async () => {
    await expect(leadingTo().resolve('empty.example')).rejects.toMatchObject({ failure: 'host_not_found' });
    await expect(strict.resolve('nothing.invalid')).rejects.toMatchObject({ failure: 'host_not_found' });
  });

  it('that is an address is asked of nobody', async () => {
    const checked = await leadingTo('8.8.8.8').resolve('10.0.0.1');
    expect(checked.addresses).toEqual([{ address: '10.0.0.1', family: 4 }]);
  });

  it.each(['a[::1]', '[::1]a'])('%s is no address in brackets', async (host) => {
    await expect(leadingTo().resolve(host)).rejects.toMatchObject({ failure: 'host_not_found' });
  });

  it.each(['127.0.0.1', '[::1]', '::1', 'localhost', '2130706433', '0x7f.1', '0'])(
    '%s is refused, however it is written',
    async (host) => {
      await expect(strict.resolve(host)).rejects.toMatchObject({ failure: 'address_refused' });
    },
  );

  it('is not waited for beyond the deadline', async () => {
    const silent = createAddressGuard({ allow: [], lookup: () => new Promise(() => {}) });
    await expect(silent.resolve('slow.example', AbortSignal.timeout(20))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('that was found leaves nothing at the signal', async () => {
    const { signal } = new AbortController();
    await leadingTo('8.8.8.8').resolve('hooks.example', signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

it('a pinned look-up knows the checked addresses alone, in both forms that Node asks for', async () => {
  expect.assertions(2);
  const pinned = pinTo(await strict.resolve('8.8.8.8'));
  pinned('other.example', { all: true }, (error, found) =>
    expect([error, found]).toEqual([null, [{ address: '8.8.8.8', family: 4 }]]),
  );
  pinned('other.example', {}, (error, found, family) =>
    expect([error, found, family]).toEqual([null, '8.8.8.8', 4]),
  );
});
