import path from 'node:path';
import { reasonToIgnore } from './prose.ts';
import type { SyntaxPath } from './prose.ts';
import { sendToParent } from './messages.ts';
import type { Outcome } from './messages.ts';

interface TestedMutant {
  fileName: string;
  location: { start: Outcome['start']; end: Outcome['start'] };
  replacement?: string;
  mutatorName: string;
  status: string;
}

/** What Stryker loads: the ignoring of prose, and the reporter that tells of each mutant as soon as it was tried. */
export const strykerPlugins = [
  { kind: 'Ignore', name: 'prose', value: { shouldIgnore: (path: SyntaxPath) => reasonToIgnore(path) } },
  {
    kind: 'Reporter',
    name: 'tell',
    value: {
      onMutationTestingPlanReady: ({ mutantPlans }: { mutantPlans: { plan: string }[] }) =>
        sendToParent({ planned: mutantPlans.filter(({ plan }) => plan === 'Run').length }),
      onMutantTested: ({ fileName, location, replacement = '', mutatorName, status }: TestedMutant) =>
        sendToParent({
          outcome: {
            file: path.relative('', fileName),
            ...location,
            replacement,
            mutator: mutatorName,
            status,
          },
        }),
    },
  },
];
