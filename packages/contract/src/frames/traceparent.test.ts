import { describe, expect, test } from 'vitest';
import { readTraceparent } from './traceparent.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

test.each([`00-${trace}-${parent}-01`, `00-${trace}-${parent}-00`, `cc-${trace}-${parent}-ff`])(
  '%s is a traceparent',
  (text) => expect(readTraceparent(text)).toBe(text),
);

describe('no traceparent is', () => {
  test.each([
    ['another version than there can be', `ff-${trace}-${parent}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${parent}-01`],
    ['a parent of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
    ['upper case', `00-${trace.toUpperCase()}-${parent}-01`],
    ['one that goes on', `00-${trace}-${parent}-01-more`],
    ['one with a line end', `00-${trace}-${parent}-01\n`],
    ['one that is cut short', `00-${trace}-${parent}`],
    ['two of them, as a header that stands twice', `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`],
    ['an empty text', ''],
    ['a text of a megabyte', '0'.repeat(1_000_000)],
    ['a list', [`00-${trace}-${parent}-01`]],
    ['nothing', undefined],
  ])('%s', (_what, value) => expect(readTraceparent(value)).toBeUndefined());
});
