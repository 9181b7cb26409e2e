import { globSync } from 'node:fs';

/** A set of mutants with the tests that must see them. */
export interface MutationGroup {
  name: string;
  /** The files to change. */
  sources: string[];
  /** The test files that run; of these each mutant meets the tests that reach it. */
  tests: string[];
  /** Only so many of the mutants are tried, chosen by the seed. */
  sampleSize?: number;
  /** A whole run fails where fewer were tried. */
  atLeast?: number;
}

/** In the order in which they run: what comes last is what the time may not suffice for. */
export function listGroups(): MutationGroup[] {
  return [
    {
      name: 'calls',
      sources: sourcesIn('apps/relay/src/calls/router.ts', 'apps/relay/src/{sockets,keys}/**/*.ts'),
      tests: [
        ...globSync([
          'apps/relay/src/{keys,sockets}/*.int.test.ts',
          'apps/relay/test/{keys,limits}/*.int.test.ts',
          'apps/relay/test/accounts/{account-life,bounds,tenancy}.int.test.ts',
          'apps/relay/test/calls/{operations,overload,refusals,routing}.int.test.ts',
          'apps/relay/test/credentials/{credentials,pairing}.int.test.ts',
          'apps/relay/test/records/{module-logs,records}.int.test.ts',
          'apps/relay/test/sockets/{admission,bad-frames,duplicates,half-frames,knocks,large-frames,module-rates}.int.test.ts',
          'apps/relay/test/{remote/remote-requests,streams/streams}.int.test.ts',
        ]),
        ...unitTestsIn('apps/relay'),
      ],
      // More than 400, for a third acts at import only, or is guarded by tests that are too slow for this.
      sampleSize: 660,
      atLeast: 400,
    },
    unitGroup('cluster', ['packages/cluster', 'packages/limits']),
    {
      name: 'relay',
      // The tests beside other files reach much of the relay by the way, and assert nothing of it.
      sources: sourcesIn('apps/relay/src/**/*.ts').filter((file) => unitTestOf(file).length > 0),
      tests: unitTestsIn('apps/relay'),
    },
    unitGroup('packages', [
      'packages/contract',
      'packages/process',
      'packages/database',
      'packages/jobs',
      'packages/sdk',
      'packages/module-sdk',
    ]),
    unitGroup('pages', ['apps/demo-world', 'apps/dashboard']),
  ];
}

const unitGroup = (name: string, folders: string[]): MutationGroup => ({
  name,
  sources: folders.flatMap((folder) => sourcesIn(`${folder}/src/**/*.{ts,tsx}`)),
  tests: folders.flatMap(unitTestsIn),
});

const sourcesIn = (...globs: string[]): string[] => globSync(globs, { exclude: ['**/*.test.ts'] }).toSorted();

const unitTestsIn = (folder: string): string[] =>
  globSync(`${folder}/**/*.test.ts`, {
    exclude: ['**/node_modules/**', '**/*.int.test.ts', '**/*.browser.test.ts'],
  }).toSorted();

const unitTestOf = (file: string): string[] => globSync(file.replace(/\.ts$/, '.test.ts'));
