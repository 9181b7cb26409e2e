import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, it } from 'vitest';

it('a browser bundle of the client has no schemas', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL('account-client.ts', import.meta.url)), formats: ['es'] },
    },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : [];
  const code = outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
  expect(code).toContain('/auth/api-keys');
  expect(code).not.toMatch(/typebox|additionalProperties/i);
  expect(code.length).toBeLessThan(12_000);
});
