import { expect, it } from 'vitest';
import { withoutPort } from './address.ts';

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
