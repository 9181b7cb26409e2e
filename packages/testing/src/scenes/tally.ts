/** What a listener heard, in the order in which it came. Events are numbered by the world that sent them, from 1. */
export type Heard =
  | { kind: 'event'; number: number }
  | { kind: 'gap'; dropped: number | undefined }
  | { kind: 'connected'; recovered: boolean }
  | { kind: 'offline' }
  | { kind: 'online' };

/** Compares what one listener heard and was told with what was sent. It keeps no events, so that it may run for hours. */
export interface Tally {
  /** The number of the last event. */
  readonly last: number;
  readonly counts: Readonly<Record<Heard['kind'], number>> & {
    /** Events that were missing and told. */
    told: number;
    /** Returns after which nothing was missing. */
    recovered: number;
  };
  /** Events that were missing, came twice or in the wrong order, or were told as missing and were not. */
  readonly problems: readonly string[];
  take(heard: Heard): void;
  /** To be called with the number of the last event that was sent. */
  end(sent: number): void;
}

export interface TallyOptions {
  /** The number of the first event that must be heard or told; unless given, that of the first event that came. */
  from?: number;
  /** The owner was killed: what it had and did not append counts as told by the `client-offline` that follows. */
  isOwnerKilled?: boolean;
}

const mostProblems = 20;

export function createTally({ from, isOwnerKilled = false }: TallyOptions = {}): Tally {
  let expected = from;
  /** What was told since the last event. Nothing in particular: some are missing, and nobody knows how many. */
  let toldNumber = 0;
  let isToldSomething = false;
  let isFirst = true;
  const problems: string[] = [];
  const counts = { event: 0, gap: 0, connected: 0, offline: 0, online: 0, told: 0, recovered: 0 };

  const report = (problem: string): void => {
    if (problems.length < mostProblems) problems.push(problem);
  };

  const compare = (next: number): void => {
    const missing = next - (expected ?? next);
    const told = `${toldNumber} were told${isToldSomething ? ', and that more may be missing' : ''}`;
    if (missing < 0) return report(`${next} came after ${(expected ?? next) - 1}`);
    if (missing < toldNumber) report(`${missing} are missing before ${next}, but ${told}`);
    if (missing > toldNumber && !isToldSomething) report(`${missing} are missing before ${next}; ${told}`);
    counts.told += missing;
    toldNumber = 0;
    isToldSomething = false;
  };

  return {
    get last() {
      return (expected ?? 1) - 1;
    },
    counts,
    problems,
    take(heard) {
      counts[heard.kind]++;
      if (heard.kind === 'event') {
        compare(heard.number);
        expected = Math.max(heard.number + 1, expected ?? 0);
      } else if (heard.kind === 'gap') {
        if (heard.dropped === undefined) isToldSomething = true;
        else toldNumber += heard.dropped;
      } else if (heard.kind === 'connected') {
        // A first connection has missed nothing yet.
        if (!isFirst && !heard.recovered) isToldSomething = true;
        if (heard.recovered) counts.recovered++;
        isFirst = false;
      } else if (heard.kind === 'offline' && isOwnerKilled) isToldSomething = true;
    },
    end: (sent) => compare(sent + 1),
  };
}
