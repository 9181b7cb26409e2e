import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkNames } from './check-names.ts';

it.each([
  ['REDIS_ULR', 'REDIS_URL'],
  ['RELAY_SECRETS', 'RELAY_SECRET'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
  ['REDIS_URL_FLIE', 'REDIS_URL_FILE'],
  ['redis_url', 'REDIS_URL'],
])('%s is read by nobody, and %s is meant', (name, meant) => {
  expect(checkNames({ [name]: 'x' })).toEqual([
    expect.objectContaining({ state: 'warning', cure: expect.stringContaining(`${meant},`) as string }),
  ]);
});

it('variables of others and every setting of the reference are no mistake', () => {
  const page = readFileSync(new URL('../../../../docs/reference/configuration.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `([A-Z_0-9]+)`/gm)].map(([, name = '']) => name);
  expect(documented.length).toBeGreaterThan(100);
  const others = [
    'HOME',
    'PATH',
    'HOSTNAME',
    'REDIS_PORT',
    'POSTGRES_PORT',
    'LANGUAGE',
    'PUBLIC_KEY',
    'AUTH_TIMEOUT_MS',
  ];
  const env = Object.fromEntries([...documented, ...others].map((name) => [name, 'x']));
  expect(checkNames(env)).toEqual([]);
});
