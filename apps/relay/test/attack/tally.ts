/** What the product promises, and an attack may find broken. */
export const promises = {
  leak: 'something of another tenant was shown',
  admitted: 'a credential opened what it must not',
  'changed row': 'a row of another tenant changed',
  'lost record': 'a record of another tenant is gone',
  'given twice': 'what works once worked twice, or outlived its end',
  unbounded: 'a bound was passed',
  'lock-out': 'a rightful person or world was kept out',
  'failed call': 'another tenant’s call failed',
  slowed: 'another tenant’s calls were slowed beyond the bound',
  crash: 'a process ended, or a connection was cut without an answer',
  internal: 'a 500',
  'undeclared 5xx': 'a 5xx that the route does not document',
  undocumented: 'an answer that the route does not document',
  'no problem': 'a refusal that is no problem document of the catalogue',
  'wrong input': 'invalid input was taken, or valid input refused',
  complaint: 'a warning or an error in the log',
  'secret in log': 'a credential in the log',
} as const;

export type PromiseName = keyof typeof promises;

export interface Finding {
  promise: PromiseName;
  /** Equal ones are counted together. */
  what: string;
  /** How to see it again. */
  example: string;
  count: number;
}

/** Counts the tries of an attack and what they found. */
export interface Tally {
  /** One request and its status; without a status, the connection ended instead. */
  answered(status: number | undefined): void;
  found(promise: PromiseName, what: string, example?: string): void;
  readonly tries: number;
  /** Tries that no limit turned away: every answer but 429. */
  readonly pastLimits: number;
  readonly byStatus: ReadonlyMap<number, number>;
  findings(): Finding[];
  count(promise: PromiseName): number;
}

export function createTally(): Tally {
  const byStatus = new Map<number, number>();
  const findings = new Map<string, Finding>();
  let tries = 0;
  let pastLimits = 0;
  return {
    answered(status = 0) {
      tries++;
      if (status !== 429 && status !== 0) pastLimits++;
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    },
    found(promise, what, example = '') {
      const key = `${promise}\n${what}`;
      const finding = findings.get(key);
      if (finding) finding.count++;
      else findings.set(key, { promise, what, example: example.slice(0, 2_000), count: 1 });
    },
    get tries() {
      return tries;
    },
    get pastLimits() {
      return pastLimits;
    },
    byStatus,
    findings: () => [...findings.values()],
    count: (promise) =>
      [...findings.values()]
        .filter((finding) => finding.promise === promise)
        .reduce((sum, { count }) => sum + count, 0),
  };
}
