import { expect, it } from 'vitest';
import { censored, censorError, censorFields } from './censor.ts';

it('a secret field is censored down to the third level, and nothing below it is looked at', () => {
  const secret = { token: 's', user: 'ann' };
  expect(censorFields({ ...secret, in: { ...secret, in: { ...secret, in: secret } } })).toEqual({
    token: censored,
    user: 'ann',
    in: { token: censored, user: 'ann', in: { token: censored, user: 'ann', in: secret } },
  });
});

it('a line without a secret stays the object that it is, and one with a secret is copied', () => {
  const plain = {
    user: 'ann',
    list: [{ id: 1 }],
    nothing: null,
    missing: undefined,
    bytes: Buffer.from('x'),
  };
  expect(censorFields(plain)).toBe(plain);
  const line = { headers: { cookie: 's' }, list: ['a', { password: 's' }] };
  expect(censorFields(line)).toEqual({
    headers: { cookie: censored },
    list: ['a', { password: censored }],
  });
  expect(line).toEqual({ headers: { cookie: 's' }, list: ['a', { password: 's' }] });
  expect(censorFields({ token: undefined })).toEqual({ token: undefined });
});

it.each(['ENOENT', 'ERR_HTTP2_ERROR', '23505', 'client_timeout', 7])(
  'the error code %s is no secret',
  (code) => {
    expect(censorFields({ code })).toEqual({ code });
  },
);

it.each(['ABCD-EFGH', 'x'.repeat(26), '123456', 'a b'])('the code %s may be one', (code) => {
  expect(censorFields({ code })).toEqual({ code: censored });
});

it('an error in its place is left to its printer, and anywhere else its fields are censored', () => {
  const err = Object.assign(new Error('failed'), { token: 's' });
  expect(censorFields({ err })['err']).toBe(err);
  expect(censorFields({ cause: err })['cause']).toMatchObject({ token: censored });
  expect(censorFields({ in: { err } })['in']).toMatchObject({ err: { token: censored } });
  expect(censorFields({ err: { token: 's' } })['err']).toEqual({ token: censored });
});

it('a printed error has its type, message and stack, and its fields to the second level', () => {
  const request = { headers: { 'x-api-key': 's' } };
  const printed = censorError(Object.assign(new TypeError('failed'), { token: 's', request }));
  expect(printed).toMatchObject({
    type: 'TypeError',
    message: 'failed',
    stack: expect.stringContaining('failed') as unknown,
    token: censored,
    request: { headers: request.headers },
  });
});

it.each([null, undefined, 'text', 7])(
  'what was thrown and is no error, %s, is printed as it is',
  (thrown) => {
    expect(censorError(thrown)).toBe(thrown);
  },
);

it('an object that was thrown is censored', () => {
  expect(censorError({ password: 's', in: { token: 's' } })).toEqual({
    password: censored,
    in: { token: censored },
  });
});
