import { defineConfig } from 'vitest/config';
import { globalSetup, patience, slow } from './vitest.config.ts';

/** Files of `pnpm test` that try more here. */
const longer = [
  'apps/browser-host/test/hostile-pages.browser.test.ts',
  'apps/relay/test/calls/idempotency-faults.test.ts',
  'apps/relay/test/keys/key-requests.int.test.ts',
  'apps/relay/test/sockets/fuzz.int.test.ts',
  'packages/cluster/test/simulation/simulation.test.ts',
];

/** What takes minutes, one file at a time: each night, and before a release. */
export default defineConfig({
  test: {
    ...patience,
    include: [...slow, ...longer],
    env: { RACE_ROUNDS: '1000', SIM_RUNS: '1000', FAULTS: '100000', FUZZ: '20', HOSTILE: 'all' },
    globalSetup,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
