import { expect, test } from 'vitest';
import { digestOf, isSameDigest } from './handover.ts';

test('what is kept of a handover is a digest in letters that need no escaping', () => {
  expect(digestOf('one')).toMatch(/^[\w-]{43}$/);
  expect(digestOf('one')).not.toBe(digestOf('two'));
});

test('digests are the same only where all of them is', () => {
  expect(isSameDigest(digestOf('one'), digestOf('one'))).toBe(true);
  expect(isSameDigest(digestOf('one'), digestOf('two'))).toBe(false);
  expect(isSameDigest(digestOf('one'), digestOf('one').slice(1))).toBe(false);
  expect(isSameDigest('', digestOf('one'))).toBe(false);
});
