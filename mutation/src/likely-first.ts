import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/**
 * Runs the tests first that most likely kill the mutant, since the first that fails ends the try: unit tests, which
 * take a hundredth of what integration tests take, of these the file beside the mutated one, then its neighbours, then
 * what failed for the mutant before, and then what is quick. Vitest itself begins with what takes longest.
 */
export class LikelyFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const mutated = fileOfMutant(files[0]);
    const ranked = files.map((spec) => {
      const result = this.ctx.cache.getTestSpecificationResult(spec);
      return { spec, rank: rankOf(spec.moduleId, result, mutated) };
    });
    return Promise.resolve(ranked.toSorted((a, b) => compare(a.rank, b.rank)).map(({ spec }) => spec));
  }
}

type LastResult = { failed: boolean; duration: number } | undefined;

/** What comes first has the smaller number at the first place at which two ranks differ. */
export function rankOf(test: string, result: LastResult, mutated: string | undefined): number[] {
  const subject = test.replace(/\.test\.tsx?$/, '');
  return [
    Number(subject.endsWith('.int')),
    Number(subject !== mutated?.replace(/\.tsx?$/, '')),
    Number(mutated === undefined || path.dirname(test) !== path.dirname(mutated)),
    Number(!result?.failed),
    result?.duration ?? 0,
  ];
}

export function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

let filesOfMutants: Map<string, string> | undefined;

/** Stryker tells the tests the number of the mutant, which stands in the sandbox's copy of its file. */
function fileOfMutant(spec: TestSpecification | undefined): string | undefined {
  const { activeMutant } = (spec?.project.getProvidedContext() ?? {}) as { activeMutant?: string };
  if (activeMutant === undefined) return undefined;
  filesOfMutants ??= readFilesOfMutants('.');
  return filesOfMutants.get(activeMutant);
}

/** The file of each mutant by its number. */
export function readFilesOfMutants(folder: string): Map<string, string> {
  const files = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: folder });
  return new Map(
    files
      .map((file) => path.resolve(folder, file))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/stryMutAct_\w+\("(\d+)"\)/g)].map(
          ([, id = '']) => [id, file] as const,
        ),
      ),
  );
}
