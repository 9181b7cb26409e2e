// One seed for every mutant, and fewer rounds than in `pnpm test`.
Object.assign(process.env, { SIM_SEED: '20261122', SIM_SECONDS: '25' });

/** Breaks the code of calls one line at a time, and tells which break no unit test sees: docs/tests.md. */
export default {
  mutate: [
    '{packages/{cluster,limits},apps/relay}/src/**/*.ts',
    '!apps/relay/src/!(calls)/**',
    '!apps/relay/src/*.ts',
    '!**/*.test.ts',
  ],
  testFiles: ['{packages/{cluster,limits},apps/relay/src/calls}/**/!(*.int|*.browser).test.ts'],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.config.ts', related: false },
  // No comment is put before the examples of READMEs, which tests compare.
  disableTypeChecks: false,
  coverageAnalysis: 'perTest',
  // What a module does while it is loaded would need every test once more.
  ignoreStatic: true,
  // Texts are for people and the log.
  mutator: { excludedMutations: ['StringLiteral'] },
  // Stryker reads tsconfig.json through an API that TypeScript 7 no longer has: it is led to a file that is not there.
  tsconfigFile: 'no-tsconfig.json',
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 15,
  ignorePatterns: ['.cache', '.data', 'dist'],
  reporters: ['progress', 'clear-text', 'html'],
  htmlReporter: { fileName: '.stryker-tmp/mutation.html' },
};
