import { randomInt } from 'node:crypto';

const parts = ['matrix', 'schema', 'races', 'floods'] as const;
export type Part = (typeof parts)[number];

/** How much is attacked. */
export interface Plan {
  seed: number;
  tries: number;
  /** Rounds of each flood, by turns at the relay and at a bare listener. */
  rounds: number;
  floodMs: number;
  raceRounds: number;
  /** Only floods whose title holds it. */
  flood: string;
  parts: readonly Part[];
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
    rounds: number(options['rounds'], 4),
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
