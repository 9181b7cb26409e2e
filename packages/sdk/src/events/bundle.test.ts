import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

test('a page that only follows events loads little: no schemas, no operations', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL('event-streams.ts', import.meta.url)), formats: ['es'] },
    },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : [];
  const code = outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
  expect(code).toContain('/encounters/subscribe');
  expect(code).not.toMatch(/node:|typebox|additionalProperties|skill-check/i);
  expect(code.length).toBeLessThan(24_000);
});
