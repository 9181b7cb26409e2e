import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { UnitFirst } from './unit-first.ts';

test('unit tests come before integration tests, whatever each took before', async () => {
  const project = { name: '', config: { sequence: { groupOrder: 0 }, isolate: true } };
  const files = ['/a.int.test.ts', '/b.test.ts', '/c.int.test.ts', '/d.test.ts'].map(
    (moduleId) => ({ moduleId, project }) as unknown as TestSpecification,
  );
  const getTestSpecificationResult = ({ moduleId }: TestSpecification) => ({
    failed: moduleId.startsWith('/c'),
    duration: moduleId.includes('.int.') ? 9_000 : 10,
  });
  const sequencer = new UnitFirst({ cache: { getTestSpecificationResult } } as unknown as Vitest);
  const order = (await sequencer.sort(files)).map(({ moduleId }) => moduleId);
  expect(order).toEqual(['/b.test.ts', '/d.test.ts', '/c.int.test.ts', '/a.int.test.ts']);
});
