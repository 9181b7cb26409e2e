import { passwordRule } from '@tabletop-relay/contract';
import { expect, it } from 'vitest';
import { faultInWords } from './field-faults.ts';

it.each([
  [
    'webhooks[1].url',
    'cannot be used: example.com was not found',
    'The address cannot be used: example.com was not found.',
  ],
  [
    'password',
    'must be a string of 10 to 128 characters (15 characters or more)',
    'A password has 10 to 128 characters.',
  ],
  ['email', 'is required: a string', 'An e-mail address looks like name@example.org.'],
  ['odd', 'must be an array of 1 to 50 elements', 'odd is not in the form that is asked for.'],
  ['password', passwordRule.common, `The password ${passwordRule.common}.`],
  [
    'tabletopUrl',
    'must be an http or https address',
    'The address of the tabletop must be an http or https address.',
  ],
  [
    'monthlyLimit',
    'must be an integer from 1 to 9 or `null`',
    'The monthly limit is a whole number from 1 on, or empty.',
  ],
  ['token', 'is unknown, used or expired', 'This link is unknown, used or expired.'],
])('what is wrong with %s is one sentence without a validator’s words', (field, message, said) => {
  expect(faultInWords({ field, message })).toBe(said);
});
