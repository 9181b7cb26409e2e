import type { ClaimOutcome } from './cluster.ts';

/** Who owns a client according to the store. */
export interface Incumbent {
  boot: string;
  conn: string;
  instanceId: string;
}

export type ClaimAnswer =
  | { answer: 'mine'; epoch: number }
  /** The incumbent's instance lives. */
  | { answer: 'held'; incumbent: Incumbent }
  /** The incumbent's instance lost its lease. */
  | { answer: 'lapsed'; incumbent: Incumbent };

/** What a driver lends to the connect algorithm. */
export interface ContendSteps {
  /** Takes the client, if it may. `deadBoot` is the instance that the newcomer has proof against. */
  claim(deadBoot: string): Promise<ClaimAnswer>;
  /** `gone`: the incumbent was silent, or unknown to its instance, and its claim is released by now. */
  probe(incumbent: Incumbent): Promise<'alive' | 'gone' | 'no_answer'>;
  isHeld(boot: string): Promise<boolean>;
  pause(): Promise<void>;
  hasExpired(): boolean;
}

/**
 * Decides between a newcomer and an incumbent: a living socket keeps its client, a silent one is fenced off,
 * and one whose instance is gone loses it unless a hold in Postgres speaks for that instance.
 */
export async function contend(steps: ContendSteps): Promise<ClaimOutcome> {
  let deadBoot = '';
  let unanswered = '';
  while (!steps.hasExpired()) {
    const claimed = await steps.claim(deadBoot);
    if (claimed.answer === 'mine') return { outcome: 'mine', epoch: claimed.epoch };
    const { boot, conn, instanceId } = claimed.incumbent;
    const duplicate: ClaimOutcome = { outcome: 'duplicate', ...(instanceId && { instanceId }) };
    if (claimed.answer === 'lapsed') {
      if (await steps.isHeld(boot)) return duplicate;
      deadBoot = boot;
    } else if (conn === unanswered) {
      await steps.pause();
    } else {
      const life = await steps.probe(claimed.incumbent);
      if (life === 'alive') return duplicate;
      if (life === 'no_answer') unanswered = conn;
    }
  }
  return { outcome: 'unavailable', cause: 'the incumbent neither answered nor lapsed in time' };
}
