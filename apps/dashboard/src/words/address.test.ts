import { expect, it } from 'vitest';
import { isLoopback, withoutPort } from './address.ts';

it.each([
  ['203.0.113.7:51234', '203.0.113.7'],
  ['203.0.113.7', '203.0.113.7'],
  ['[2001:db8::1]:51234', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['203.0.113.7:51234x', '203.0.113.7:51234x'],
  ['x[2001:db8::1]', 'x[2001:db8::1]'],
  ['', ''],
])('%j is shown as %j', (address, shown) => {
  expect(withoutPort(address)).toBe(shown);
});

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['relay.example', false],
  ['192.168.1.4', false],
  ['localhost.evil.example', false],
])('%s is this machine itself: %s', (hostname, expected) => {
  expect(isLoopback(hostname)).toBe(expected);
});
