import type { Alternative } from '../operations/operation-definition.ts';
import type { Operation } from '../operations/operation.ts';

/** The rules of an operation over several of its parameters. */
type Rules = Pick<Operation, 'identifiedBy' | 'prefers' | 'needsOneOf' | 'clearsBy'>;

/**
 * Applies the rules to values: of several alternatives the first that is given stays, and the others are removed.
 * Calls `refuse` with the field and the message for each rule that nothing fulfils.
 */
export function identify(
  { identifiedBy = [], prefers = [], needsOneOf, clearsBy }: Rules,
  values: Record<string, unknown>,
  refuse: (field: string, message: string) => void,
): void {
  for (const group of identifiedBy)
    if (!keepFirst(group, values))
      refuse(namesOf(group[0]!)[0]!, `is missing: give one of ${alternatives(group)}`);
  for (const group of prefers) keepFirst(group, values);
  const clears = clearsBy && values[clearsBy.flag] === true && Array.isArray(values[clearsBy.list]);
  if (needsOneOf && !clears && !needsOneOf.some((name) => isGiven(values[name])))
    refuse(needsOneOf[0]!, `is missing: give at least one of ${alternatives(needsOneOf)}`);
}

/** Alternatives as text lists them: names in code marks, those that belong together joined by "with". */
export function alternatives(group: readonly Alternative[]): string {
  return group
    .map((alternative) =>
      namesOf(alternative)
        .map((name) => `\`${name}\``)
        .join(' with '),
    )
    .join(', ');
}

/** The parameters that one alternative consists of. */
export function namesOf(alternative: Alternative): readonly string[] {
  return typeof alternative === 'string' ? [alternative] : alternative;
}

/** Removes all but the first alternative of a group that is wholly given; false when none is. */
function keepFirst(group: readonly Alternative[], values: Record<string, unknown>): boolean {
  const kept = group.find((alternative) => namesOf(alternative).every((name) => isGiven(values[name])));
  if (kept === undefined) return false;
  for (const name of group.flatMap(namesOf)) if (!namesOf(kept).includes(name)) values[name] = undefined;
  return true;
}

/** A flag that is off, like `selected: false`, identifies nothing, and neither does an empty list. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
