import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { MutationGroup } from './groups.ts';
import type { Message, Outcome, SlowTest } from './messages.ts';
import type { GroupResult } from './report.ts';

const runner = path.join(import.meta.dirname, 'run-stryker.ts');
const toEndMs = 10_000;

interface GroupRun {
  seed: number;
  /** The end, a moment of the monotonic clock. */
  until: number;
  onSlowTests(tests: SlowTest[]): void;
  onTested(outcome: Outcome): void;
}

/** Tries the mutants of a group until the time is over. Leaves nothing behind. */
export async function runGroup(
  { name, sources, tests, isIsolated, sampleSize }: MutationGroup,
  { seed, until, onSlowTests, onTested }: GroupRun,
): Promise<GroupResult> {
  const needsStores = tests.some((file) => file.endsWith('.int.test.ts'));
  const outcomes: Outcome[] = [];
  let planned = 0;
  // The end of its process group is the end of Stryker, its workers and the databases that they started.
  const child = fork(runner, [JSON.stringify(sources), JSON.stringify(tests)], {
    detached: true,
    env: {
      ...process.env,
      ...shorterTests(seed),
      MUTATION_TESTS: needsStores ? 'integration' : 'unit',
      MUTATION_ISOLATED: String(isIsolated),
      MUTATION_LOTS: JSON.stringify({ seed, size: sampleSize }),
    },
  });
  const leaveNothing = (): void => {
    endGroup(child, 'SIGKILL');
    rmSync('.stryker-tmp', { recursive: true, force: true });
  };
  process.once('exit', leaveNothing);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  child.on('message', (message: Message) => {
    if ('slowTests' in message) onSlowTests(message.slowTests);
    else if ('planned' in message) planned = message.planned;
    else {
      outcomes.push(message.outcome);
      onTested(message.outcome);
    }
  });
  const timer = setTimeout(() => {
    endGroup(child, 'SIGTERM');
    setTimeout(() => endGroup(child, 'SIGKILL'), toEndMs).unref();
  }, until - performance.now());
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  leaveNothing();
  process.off('exit', leaveNothing);
  return { name, outcomes, planned, hasFailed: code !== 0 && performance.now() < until };
}

/** What takes long in `pnpm test` is shorter here, and the same for each mutant: the simulation, and races of calls. */
const shorterTests = (seed: number) => ({ SIM_SEED: String(seed), SIM_SECONDS: '25', RACE_ROUNDS: '40' });

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
