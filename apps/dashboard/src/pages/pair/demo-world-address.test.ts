import { expect, it } from 'vitest';
import { demoWorldAddress } from './demo-world-address.ts';

const at = (demoWorld: string | null, here: string) =>
  demoWorldAddress({ demoWorld, here: new URL(here), relay: 'ws://localhost:3010/relay', code: 'ABC234' });

it('leads to a world of the browser’s own, with address and code filled in', () => {
  const url = new URL(at('http://localhost:3011/', 'http://localhost:3010/dashboard') ?? '');
  expect(url.origin).toBe('http://localhost:3011');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    own: '',
    relay: 'ws://localhost:3010/relay',
    code: 'ABC234',
  });
});

it('a page on the relay’s own machine is offered to who sits there alone', () => {
  expect(at('http://localhost:3011/', 'https://relay.example.org/dashboard')).toBeUndefined();
  expect(at('https://demo.example.org/', 'https://relay.example.org/dashboard')).toBeDefined();
});

it.each([null, 'javascript:alert(1)', 'nonsense'])('nothing is offered for %j', (demoWorld) => {
  expect(at(demoWorld, 'http://localhost:3010/')).toBeUndefined();
});
