import { maxHandoverLength } from '@tabletop-relay/contract';
import { expect, test } from 'vitest';
import { readAuth } from './auth-frame.ts';

const auth = { type: 'auth', token: 'token' };
const longest = 'x'.repeat(maxHandoverLength);

test.each<[string, Record<string, unknown>, object]>([
  ['alone', {}, {}],
  ['with a handover', { handover: 'to here' }, { handover: 'to here' }],
  ['with the longest handover', { handover: longest }, { handover: longest }],
  ['with a handover that is too long', { handover: `${longest}x` }, {}],
  ['with a handover that is no text', { handover: { length: 1 } }, {}],
  ['of a module that hands over', { handsOver: true }, { declared: { handsOver: true } }],
  ['of a module that says so in other words', { handsOver: 'yes' }, {}],
  [
    'of a module that says what it does',
    { checksUser: true, filtersEvents: true },
    { declared: { checksUser: true, filtersEvents: true } },
  ],
  [
    'with what nobody knows',
    { declared: { checksUser: true }, constructor: 1, other: 'x'.repeat(10_000) },
    {},
  ],
])('an auth frame %s is read', (_what, more, read) => {
  expect(readAuth({ ...auth, ...more })).toEqual({ token: 'token', declared: {}, ...read });
});

test.each<[string, Record<string, unknown> | undefined]>([
  ['no JSON', undefined],
  ['of another type', { ...auth, type: 'ping' }],
  ['without a token', { type: 'auth' }],
  ['whose token is no text', { ...auth, token: 7 }],
])('a frame that is %s is no auth frame', (_what, frame) => {
  expect(readAuth(frame)).toBeUndefined();
});
