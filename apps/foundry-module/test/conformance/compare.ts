import type { Operation } from '@tabletop-relay/contract';
import { fieldsOf, namedFields } from '../../../../packages/contract/test/module-facts/compare-fields.ts';
import { moduleFacts } from '../../../../packages/contract/test/module-facts/index.ts';
import { answersOf } from '../../../../packages/contract/test/module-facts/module-fact.ts';
import { captured } from './captured.ts';

/** Fields that are there or not as dice fall. */
const byDice = ['data.healed', 'data.stable'];

/** The fields of an answer that the contract names, whatever a world puts within them. */
export function named(operation: Operation, answer: object): string[] {
  const { named: names } = namedFields(operation.result);
  return [...new Set(fieldsOf(answer))]
    .filter((field) => names.has(field) && !byDice.includes(field))
    .toSorted();
}

/** Fields that a real module always gives and we do not, and those that we give and none of them ever does; of all answers of an operation together. */
export function compareWithFacts(operation: Operation, answers: Record<string, unknown>[]) {
  const given = new Set(answers.flatMap((answer) => named(operation, answer)));
  // What is within an empty list, or within what is null, is not told.
  const hollow = answers.flatMap((answer) => hollowIn(answer));
  const isTold = (field: string) => !hollow.some((path) => field.startsWith(`${path}.`));
  const fact = moduleFacts[operation.name];
  const real = fact ? answersOf(fact).map(({ answer }) => named(operation, answer)) : [];
  const always = real[0]?.filter((field) => real.every((fields) => fields.includes(field))) ?? [];
  const seen = captured[operation.name]?.split(' ') ?? [];
  const { named: names } = namedFields(operation.result);
  const missing = [...always, ...seen.filter((field) => names.has(field))].filter(
    (field) => !given.has(field) && isTold(field),
  );
  const ever = new Set([...real.flat(), ...seen]);
  const more = ever.size === 0 ? [] : [...given].filter((field) => !ever.has(field));
  return missing.length + more.length > 0 ? { missing: [...new Set(missing)], more } : undefined;
}

function hollowIn(value: unknown, path = ''): string[] {
  if (value === null || (Array.isArray(value) && value.length === 0)) return [path];
  if (Array.isArray(value)) return value.flatMap((one) => hollowIn(one, path));
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    hollowIn(inner, path === '' ? key : `${path}.${key}`),
  );
}
