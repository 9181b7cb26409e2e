/** What became of one mutant. Lines and columns begin at 1. */
export interface Outcome {
  file: string;
  start: { line: number; column: number };
  end: { line: number; column: number };
  replacement: string;
  mutator: string;
  /** Stryker's word: `Killed`, `Survived`, `Timeout`, `NoCoverage`, `Ignored`, `RuntimeError`. */
  status: string;
}

/** How long a unit test may take while a mutant is active. */
export const unitTestMs = 5_000;

/** A test that takes long without any mutant. */
export interface SlowTest {
  name: string;
  timeSpentMs: number;
}

/** What the process that runs Stryker tells the one that started it. */
export type Message = { slowTests: SlowTest[] } | { planned: number } | { outcome: Outcome };

export function sendToParent(message: Message): void {
  process.send?.(message);
}
