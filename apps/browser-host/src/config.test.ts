import { readConfig } from '@tabletop-relay/process';
import { expect, it } from 'vitest';
import { BrowserHostConfigSchema, checkBrowserHostConfig } from './config.ts';

const read = (env: Record<string, string>) =>
  readConfig(
    BrowserHostConfigSchema,
    { DATABASE_URL: 'postgres://relay@127.0.0.1/relay', ...env },
    checkBrowserHostConfig,
  );

it('a session may run for a week and no longer, so that its job outlives it', () => {
  expect(read({ HEADLESS_MAX_MS: '604800000' }).headlessMaxMs).toBe(604_800_000);
  expect(() => read({ HEADLESS_MAX_MS: '604800001' })).toThrow(/HEADLESS_MAX_MS/);
});
