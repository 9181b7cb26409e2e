import { Instrumenter } from '@stryker-mutator/instrumenter';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { reasonToIgnore } from './prose.ts';
import type { SyntaxPath } from './prose.ts';
import { textAt } from './reasons.ts';

/** A piece of a file, in Stryker's counting: lines and columns begin at 0. */
interface Place {
  file: string;
  start: { line: number; column: number };
  end: { line: number; column: number };
}

/** A larger piece would bring so many mutants at once that the sample were of few places. */
const mostAtOnce = 8;

/**
 * Chooses places at random until they hold `size` mutants, and writes them as Stryker's `mutate` ranges. Stryker has no
 * sample of its own, and a range brings all mutants within it. A place has its lot by its file and its text, so that a
 * change elsewhere leaves the sample as it is.
 */
export async function sampleMutants(sources: string[], size: number, seed: number): Promise<string[]> {
  const places = await listMutants(sources);
  const chosen = new Set<Place>();
  const ranges: string[] = [];
  for (const place of inOrderOfLots(places, seed)) {
    if (chosen.size >= size) break;
    const within = places.filter((other) => contains(place, other));
    if (chosen.has(place) || within.length > mostAtOnce) continue;
    for (const other of within) chosen.add(other);
    ranges.push(toRange(place));
  }
  return ranges;
}

async function listMutants(sources: string[]): Promise<Place[]> {
  const files = sources.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
  const { mutants } = await new Instrumenter(silentLog).instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [{ shouldIgnore: (path) => reasonToIgnore(path as SyntaxPath) }],
  });
  return mutants
    .filter(({ status }) => status === undefined)
    .map(({ fileName, location: { start, end } }) => ({ file: fileName, start, end }));
}

function inOrderOfLots(places: readonly Place[], seed: number): Place[] {
  const seen = new Map<string, number>();
  const drawn = places.map((place) => {
    const { file, start, end } = place;
    const text = textAt({ file, start: counted(start), end: counted(end) });
    const nth = (seen.get(file + text) ?? 0) + 1;
    seen.set(file + text, nth);
    return { place, lot: hash('sha256', `${seed} ${nth} ${file} ${text}`) };
  });
  return drawn.toSorted((one, other) => (one.lot < other.lot ? -1 : 1)).map(({ place }) => place);
}

/** As editors count: lines and columns begin at 1. */
const counted = ({ line, column }: Place['start']): Place['start'] => ({
  line: line + 1,
  column: column + 1,
});

function contains(outer: Place, inner: Place): boolean {
  return outer.file === inner.file && !isBefore(inner.start, outer.start) && !isBefore(outer.end, inner.end);
}

const isBefore = (a: Place['start'], b: Place['start']): boolean =>
  a.line < b.line || (a.line === b.line && a.column < b.column);

const toRange = ({ file, start, end }: Place): string =>
  `${file}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;

const nothing = (): void => {};
const no = (): boolean => false;
const silentLog = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
