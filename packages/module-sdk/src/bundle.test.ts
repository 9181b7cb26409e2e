import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

test('a browser bundle is small: no Node imports, none of the contract’s schemas', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL('index.ts', import.meta.url)), formats: ['es'] },
      rolldownOptions: { external: /^node:/ },
    },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : [];
  const code = outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
  expect(code).toContain('/auth/pair');
  expect(code).not.toMatch(/node:|typebox|additionalProperties/i);
  expect(code.length).toBeLessThan(27_000);
});
