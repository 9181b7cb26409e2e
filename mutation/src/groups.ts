import { globSync } from 'node:fs';
import path from 'node:path';

/** A set of mutants with the tests that must see them. */
export interface MutationGroup {
  name: string;
  /** The files to change. */
  sources: string[];
  /** The test files that run; of these each mutant meets the tests that reach it. */
  tests: string[];
  /** Each test file runs in a worker of its own, as in `pnpm test`. Others load the code once for all files of a mutant. */
  isIsolated: boolean;
  /** Its part of the time. What a group leaves over goes to those after it. */
  share: number;
  /** Only so many of the mutants that its tests reach are tried, chosen by the seed. */
  sampleSize?: number;
  /** A whole run fails where fewer were tried. */
  atLeast?: number;
}

/** In the order in which they run. */
export function listGroups(): MutationGroup[] {
  return [
    {
      name: 'calls',
      sources: sourcesIn(
        'apps/relay/src/calls/{router,client-problems}.ts',
        'apps/relay/src/{sockets,keys}/**/*.ts',
      ).filter((file) => !looksAtEachByte(file)),
      tests: [
        ...globSync([
          'apps/relay/src/{keys,sockets}/*.int.test.ts',
          'apps/relay/test/{keys,limits}/*.int.test.ts',
          'apps/relay/test/accounts/{account-life,administration,bounds,tenancy}.int.test.ts',
          'apps/relay/test/calls/{operations,overload,refusals,routing}.int.test.ts',
          'apps/relay/test/credentials/{credentials,pairing}.int.test.ts',
          'apps/relay/test/records/{module-logs,records}.int.test.ts',
          'apps/relay/test/sockets/{admission,bad-frames,duplicates,half-frames,knocks,large-frames,module-rates}.int.test.ts',
          'apps/relay/test/{remote/remote-requests,streams/kept-rolls,streams/streams}.int.test.ts',
        ]),
        ...unitTestsIn('apps/relay'),
      ],
      isIsolated: true,
      share: 31,
      sampleSize: 420,
      atLeast: 400,
    },
    unitGroup('cluster', 14, ['packages/cluster', 'packages/limits']),
    {
      name: 'relay',
      // Tests that let days pass on a clock of their own meet what other files left running.
      isIsolated: true,
      share: 5,
      // The tests beside other files reach much of the relay by the way, and assert nothing of it.
      sources: sourcesIn('apps/relay/src/**/*.ts').filter(
        (file) => unitTestOf(file).length > 0 || looksAtEachByte(file),
      ),
      tests: unitTestsIn('apps/relay'),
    },
    unitGroup('packages', 5, without(globSync('packages/*'), ['cluster', 'limits', 'testing']), true),
    unitGroup('apps', 5, without(globSync('apps/*'), ['relay'])),
  ];
}

const unitGroup = (name: string, share: number, folders: string[], isIsolated = false): MutationGroup => ({
  name,
  isIsolated,
  share,
  sources: folders.flatMap((folder) => sourcesIn(`${folder}/src/**/*.{ts,tsx}`)),
  tests: folders.flatMap(unitTestsIn),
});

/**
 * Integration tests send a hundred megabytes, and counting the coverage of each byte would take minutes. The unit tests of the files that
 * use these reach them as well.
 */
const looksAtEachByte = (file: string): boolean => file.startsWith('apps/relay/src/sockets/json/');

const without = (folders: string[], names: string[]): string[] =>
  folders.filter((folder) => !names.includes(path.basename(folder))).toSorted();

const sourcesIn = (...globs: string[]): string[] => globSync(globs, { exclude: ['**/*.test.ts'] }).toSorted();

const unitTestsIn = (folder: string): string[] =>
  globSync(`${folder}/**/*.test.ts`, {
    exclude: [
      '**/node_modules/**',
      '**/*.int.test.ts',
      '**/*.browser.test.ts',
      // What measures a bundle measures the mutants in it, too.
      '**/bundle.test.ts',
      // It imports its example within the test, so that what happens at import seems to be reached by a test.
      '**/readme.test.ts',
    ],
  }).toSorted();

const unitTestOf = (file: string): string[] => globSync(file.replace(/\.ts$/, '.test.ts'));

/** How long a group may take, of the time that is left for it and those after it. */
export function timeFor(group: MutationGroup, after: readonly MutationGroup[], leftMs: number): number {
  return (leftMs * group.share) / [group, ...after].reduce((sum, { share }) => sum + share, 0);
}
