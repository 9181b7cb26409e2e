import path from 'node:path';
import { inOrderOfLots } from './lots.ts';
import { sendToParent, unitTestMs } from './messages.ts';
import type { Outcome, SlowTest } from './messages.ts';
import { reasonToIgnore } from './prose.ts';
import type { SyntaxPath } from './prose.ts';

interface Mutant {
  fileName: string;
  /** Lines and columns begin at 0 in a plan, and at 1 once the mutant was tested. */
  location: { start: Outcome['start']; end: Outcome['start'] };
  replacement?: string;
  mutatorName: string;
}

interface TestedMutant extends Mutant {
  status: string;
  statusReason?: string;
}

interface MutantPlan {
  plan: string;
  mutant: Mutant;
  /** Of plans to run it. */
  runOptions?: { testFilter?: string[] };
}

/** What Stryker loads: the ignoring of prose, and the reporter that tells of each mutant as soon as it was tried. */
export const strykerPlugins = [
  { kind: 'Ignore', name: 'prose', value: { shouldIgnore: (path: SyntaxPath) => reasonToIgnore(path) } },
  {
    kind: 'Reporter',
    name: 'tell',
    value: {
      onDryRunCompleted: ({ result }: { result: { tests: SlowTest[] } }) =>
        sendToParent({ slowTests: findSlow(result.tests) }),
      onMutationTestingPlanReady: ({ mutantPlans }: { mutantPlans: MutantPlan[] }) =>
        sendToParent({ planned: choosePlans(mutantPlans, lotsOf(process.env)) }),
      onMutantTested: (mutant: TestedMutant) => sendToParent({ outcome: toOutcome(mutant) }),
    },
  },
];

interface Lots {
  seed: number;
  /** Absent: all. */
  size?: number;
}

const lotsOf = ({ MUTATION_LOTS = '{"seed":0}' }: NodeJS.ProcessEnv): Lots =>
  JSON.parse(MUTATION_LOTS) as Lots;

/**
 * Leaves a sample of the mutants that tests reach in the list, in the order of their lots, and returns how many there
 * were. Stryker has no sample of its own, tries file after file, and works off the very list that it shows here. What was
 * tried when the time is over is a fair sample, too.
 */
export function choosePlans(plans: MutantPlan[], { seed, size }: Lots): number {
  const isReached = ({ plan, runOptions }: MutantPlan) =>
    plan === 'Run' && runOptions?.testFilter?.length !== 0;
  const reached = inOrderOfLots(plans.filter(isReached), seed, ({ mutant }) => ({
    file: path.relative('', mutant.fileName),
    start: counted(mutant.location.start),
    end: counted(mutant.location.end),
    replacement: mutant.replacement ?? '',
  }));
  const others = plans.filter((plan) => !isReached(plan));
  plans.length = 0;
  for (const plan of [...others, ...reached.slice(0, size)]) plans.push(plan);
  return reached.length;
}

/** As editors count: lines and columns begin at 1. */
const counted = ({ line, column }: Outcome['start']): Outcome['start'] => ({
  line: line + 1,
  column: column + 1,
});

/** Unit tests that take so long without a mutant that a busy machine makes them fail with any. */
export function findSlow(tests: readonly (SlowTest & { fileName?: string })[]): SlowTest[] {
  return tests
    .filter(
      ({ fileName, timeSpentMs }) => !fileName?.endsWith('.int.test.ts') && timeSpentMs > unitTestMs / 2,
    )
    .map(({ name, timeSpentMs }) => ({ name, timeSpentMs }));
}

export function toOutcome({ fileName, location, replacement = '', ...mutant }: TestedMutant): Outcome {
  const hasTimedOut = mutant.status === 'Killed' && /timed out in \d+ms/.test(mutant.statusReason ?? '');
  return {
    file: path.relative('', fileName),
    ...location,
    replacement,
    mutator: mutant.mutatorName,
    // Vitest ends a test that waits for ever before Stryker would. Both are the same news: a busy machine can do it too.
    status: hasTimedOut ? 'Timeout' : mutant.status,
  };
}
