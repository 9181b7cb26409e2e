import { inject, vi } from 'vitest';
import { unitTestMs } from './messages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Stryker's: `dry-run` without a mutant, then `mutant`. */
    mode: string;
  }
}

// Many a mutant lets a unit test wait for ever, where it otherwise takes milliseconds. That it fails soon saves most of
// a run's time, and a new worker for the next.
if (inject('mode') === 'mutant')
  vi.setConfig({ testTimeout: unitTestMs, hookTimeout: unitTestMs, expect: { poll: { timeout: 3_000 } } });
