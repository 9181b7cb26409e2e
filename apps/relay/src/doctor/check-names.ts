import { describeConfig, removedSettings } from '@tabletop-relay/process';
import type { Environment } from '@tabletop-relay/process';
import { RelayConfigSchema } from '../config.ts';
import { warning } from './finding.ts';
import type { Finding } from './finding.ts';

/** Fewer letters are near to too much that is no setting of ours, as HOME is to HOST. */
const shortestName = 6;
const mostEdits = 2;

/**
 * Finds variables that look like a mistyped setting of a relay: nobody reads them. All other variables of an environment may be
 * somebody else's.
 */
export function checkNames(env: Environment): Finding[] {
  const rows = describeConfig(RelayConfigSchema);
  const known = new Set([
    ...rows.map(({ name }) => name),
    ...rows.filter(({ secret }) => secret).map(({ name }) => `${name}_FILE`),
  ]);
  const readElsewhere = new Set([...otherProcesses, ...Object.values(removedSettings).flat()]);
  return Object.keys(env).flatMap((name) => {
    if (known.has(name) || readElsewhere.has(name) || name.length < shortestName) return [];
    const meant = [...known].find((one) => one.length >= shortestName && isNear(name.toUpperCase(), one));
    if (meant === undefined) return [];
    return [warning('settings', `${name} is set, and nobody reads it`, `Name it ${meant}, or take it away.`)];
  });
}

/** Settings of workers and browser hosts that are near to one of the relay: an installation may have one file for all. */
const otherProcesses = ['HEADLESS_STAGE_MS'];

/** Whether few letters were left out, added, changed, or exchanged with the next one. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > mostEdits) return false;
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (last[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          changed,
          isExchanged ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, row];
  }
  return (last[b.length] ?? Infinity) <= mostEdits;
}
