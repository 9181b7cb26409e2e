import { createFairGate } from '../../credentials/lines/fair-gate.ts';
import type { FairGate, Visitor } from '../../credentials/lines/fair-gate.ts';

export interface StrangerLinesSettings {
  /** Over all accounts. */
  waiting: number;
  waitMs: number;
}

/** One line for each account under attack: passwords are looked at one at a time, and about one per second. */
export interface StrangerLines {
  /** Rejects with `overloaded` for whom there is no place, or no turn before the deadline. */
  pass<T>(account: string, visitor: Visitor, work: () => Promise<T>): Promise<T>;
}

const slowestMs = 1000;
const fastestMs = 100;

/** On each instance its own. */
export function createStrangerLines({ waiting, waitMs }: StrangerLinesSettings): StrangerLines {
  const lines = new Map<string, FairGate>();
  const spareMs = 0.2 * waitMs;
  // Faster where many wait, so that all who found a place are heard in time.
  const paceMs = (inLine: number, deadline: number) => {
    const leftMs = deadline - performance.now() - spareMs;
    return Math.min(slowestMs, Math.max(fastestMs, leftMs / inLine));
  };
  const places = Math.max(1, Math.floor((waitMs - spareMs) / fastestMs));

  function open(account: string): FairGate {
    let line = lines.get(account);
    if (!line) lines.set(account, (line = createFairGate({ running: 1, waiting: places, paceMs })));
    return line;
  }

  function countWaiting(): number {
    let sum = 0;
    for (const line of lines.values()) sum += line.waiting;
    return sum;
  }

  /** Kept for as long as its pace holds after the last turn. */
  function closeSoon(account: string, line: FairGate): void {
    setTimeout(() => {
      if (line.isIdle() && lines.get(account) === line) lines.delete(account);
    }, slowestMs).unref();
  }

  return {
    async pass(account, visitor, work) {
      const line = open(account);
      const passed = line.pass(visitor, work);
      if (countWaiting() > waiting) longestOf([...lines.values()]).dropLast();
      try {
        return await passed;
      } finally {
        closeSoon(account, line);
      }
    },
  };
}

/** There is one line at least: that of the visitor who came. */
const longestOf = (lines: readonly FairGate[]): FairGate =>
  lines.reduce((longest, line) => (line.waiting > longest.waiting ? line : longest));
