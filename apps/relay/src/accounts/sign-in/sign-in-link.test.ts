import { expect, test } from 'vitest';
import { createSignInLinks } from './sign-in-link.ts';

test('a link signs in once, and nothing else does', () => {
  const links = createSignInLinks();
  const secret = links.make('one');
  expect(secret).toMatch(/^[\w-]{43}$/);
  for (const other of ['', 'x', secret.slice(1), `${secret}x`, secret.toLowerCase()])
    expect(links.take(other)).toBeUndefined();
  expect(links.take(secret)).toBe('one');
  expect(links.take(secret)).toBeUndefined();
});

test('a link lives for ten minutes, and until the next one of its account', () => {
  let at = 0;
  const links = createSignInLinks(() => at);
  const late = links.make('one');
  at = 10 * 60_000 - 1;
  const other = links.make('two');
  expect(links.take(late)).toBe('one');
  at += 10 * 60_000;
  expect(links.take(other)).toBeUndefined();
  const first = links.make('one');
  const second = links.make('one');
  expect(first).not.toBe(second);
  expect(links.take(first)).toBeUndefined();
  expect(links.take(second)).toBe('one');
});
