import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/**
 * Runs the unit tests first, where Vitest begins with what took longest: a mutant that a unit test kills costs no
 * integration test, which takes a hundred times as long.
 */
export class UnitFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => Number(isSlow(one)) - Number(isSlow(other)));
  }
}

const isSlow = ({ moduleId }: Pick<TestSpecification, 'moduleId'>): boolean =>
  moduleId.endsWith('.int.test.ts');
