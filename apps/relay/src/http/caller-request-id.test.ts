import { expect, test } from 'vitest';
import { createSecret } from '../credentials/secret.ts';
import { callerRequestId } from './heads.ts';

const read = (given: string | string[] | undefined) =>
  callerRequestId({ headers: given === undefined ? {} : { 'x-request-id': given } });

test.each(['a', '0190f2e4-5f6a-7c1b-9d3e-2a4b6c8d0e1f', 'A.b_c-d:1', 'x'.repeat(128)])(
  'the id %s of a caller is kept',
  (id) => expect(read(id)).toBe(id),
);

test.each([undefined, '', 'x'.repeat(129), 'two words', 'a\tb', 'é', 'a,b', '{"a":1}', ['a', 'b']])(
  'the id %j of a caller is dropped',
  (id) => expect(read(id)).toBeUndefined(),
);

test('a secret in the wrong header is dropped', () => {
  expect(read(createSecret('scopedKey').value)).toBeUndefined();
});
