import { expect, test, vi } from 'vitest';

vi.stubGlobal('location', { pathname: '/dashboard/', search: '' });
const { match, nextAfterSignIn, place } = await import('./router.ts');

test('a pattern names the parts of a path', () => {
  expect(match('/dashboard/keys/:id', '/dashboard/keys/a%20b')).toEqual({ id: 'a b' });
  expect(match('/dashboard/keys/:id', '/dashboard/keys')).toBeUndefined();
  expect(match('/approve/:code', '/approve/%E0%A4%A')).toEqual({ code: '%E0%A4%A' });
});

test.each([
  ['/approve/ABC', '/approve/ABC'],
  ['/oauth/consent?code=ABC', '/oauth/consent?code=ABC'],
  ['/oauth/authorize?client_id=x', '/dashboard'],
  ['/dashboard/keys?x=1', '/dashboard/keys?x=1'],
  ['https://evil.example/', '/dashboard'],
  ['//evil.example', '/dashboard'],
  ['https://evil.example/dashboard', '/dashboard'],
  ['//evil.example/approve/ABC', '/dashboard'],
  ['/dashboardx', '/dashboard'],
  ['/\\evil.example', '/dashboard'],
  ['', '/dashboard'],
])('after signing in, next=%s leads to %s', (next, to) => {
  place.value = { path: '/dashboard/sign-in', search: `?next=${encodeURIComponent(next)}` };
  expect(nextAfterSignIn()).toBe(to);
});
