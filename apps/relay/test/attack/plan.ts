import { randomInt } from 'node:crypto';

const parts = ['matrix', 'schema', 'races', 'floods'] as const;
export type Part = (typeof parts)[number];

/** How much is attacked. */
export interface Plan {
  seed: number;
  tries: number;
  /** For all of it. */
  minutes: number;
  /** Rounds of each flood, by turns at the relay and at a bare listener. */
  rounds: number;
  floodMs: number;
  raceRounds: number;
  /** Only floods whose title holds it. */
  flood: string;
  parts: readonly Part[];
}

/** Of the time, in hundredths. On two idle cores each part needs about half of its share. What is left is for starts and ends. */
const shares: Readonly<Record<Part, number>> = { matrix: 42, schema: 10, races: 10, floods: 33 };
const reserve = 5;

/** When each part must have ended, in ms after the start. What a part leaves over is for those that follow. */
export function endsOfParts({ minutes, parts: chosen }: Plan): Readonly<Record<Part, number>> {
  const all = chosen.reduce((sum, part) => sum + shares[part], reserve);
  const ends: Record<Part, number> = { matrix: 0, schema: 0, races: 0, floods: 0 };
  let used = 0;
  for (const part of chosen) {
    used += shares[part];
    ends[part] = (used / all) * minutes * 60_000;
  }
  return ends;
}

/** Reads the options of the command; throws where one is no number. */
export function readPlan(options: Record<string, string | boolean | undefined>): Plan {
  const { only } = options;
  const isPart = (name: unknown): name is Part => parts.some((part) => part === name);
  if (only !== undefined && !isPart(only)) throw new Error(`--only takes one of ${parts.join(', ')}`);
  const tries = number(options['tries'], 1_000_000);
  return {
    seed: number(options['seed'], randomInt(2 ** 31)),
    tries,
    minutes: number(options['minutes'], 45),
    rounds: number(options['rounds'], 8),
    floodMs: number(options['flood-ms'], 4_000),
    raceRounds: Math.max(1, Math.min(20, Math.round(tries / 50_000))),
    flood: typeof options['flood'] === 'string' ? options['flood'] : '',
    parts: only ? [only] : parts,
  };
}

function number(text: string | boolean | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`${String(text)} is no whole number above 0`);
  return value;
}
