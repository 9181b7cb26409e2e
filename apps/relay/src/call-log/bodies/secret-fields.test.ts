import { expect, test } from 'vitest';
import { namesSecret, withoutSecrets } from './secret-fields.ts';

test.each([
  'password', 'PASSWORD', 'passwd', 'pwd', 'passwordSalt', 'password_hash', 'dbPassword', 'passphrase',
  'token', 'Token', 'access_token', 'accessToken', 'refresh-token', 'authtoken', 'HTTPToken', 'tokenValue', 'refreshTokens',
  'secret', 'SECRET_2', 'clientSecret', 'secretAnswer', 'credentials', 'authorization', 'cookie', 'jwt',
  'key', 'KEY', 'keys', 'key1', 'apiKey', 'APIKey', 'api_key', 'apikey', 'x-api-key', 'private-key', 'publicKey',
  'flags.module.apiKey', 'system.token.current',
])('%s names a secret', (name) => {
  expect(namesSecret(name)).toBe(true);
}); // prettier-ignore

test.each([
  'keyboard', 'keyboard.left', 'monkey', 'hotkey', 'keywords', 'keyId', 'keyed',
  'tokens', 'prototypeToken', 'prototypeToken.name', 'tokenUuid', 'tokenId',
  'passive', 'bypass', 'compass', 'author', 'spawn', 'power', 'value', 'hash', 'data', '',
])('%s names none', (name) => {
  expect(namesSecret(name)).toBe(false);
}); // prettier-ignore

test('the value of a field that is named beside it is left out', () => {
  const pairs = [
    { key: 'module.apiKey', value: 'x' },
    { name: 'X-Auth-Token', value: 'x', mode: 2 },
    { name: 'Longsword', value: 15 },
  ];
  const { text, leftOut } = withoutSecrets({ pairs, value: 3 });
  expect(JSON.parse(text)).toEqual({
    pairs: [{}, { name: 'X-Auth-Token', mode: 2 }, { name: 'Longsword', value: 15 }],
    value: 3,
  });
  expect(leftOut).toEqual(['key', 'value']);
});

test('what tells no secret stays, and lists keep their length', () => {
  const whole = { secret: true, token: null, password: false, list: ['password', 'token'] };
  expect(withoutSecrets(whole)).toEqual({ text: JSON.stringify(whole), leftOut: [] });
});

test('a name of millions of parts is looked at at once', () => {
  const startedAt = performance.now();
  expect(namesSecret(`${'.'.repeat(4_000_000)}key`)).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
