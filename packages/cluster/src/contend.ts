import type { ClaimOutcome } from './cluster.ts';

/** The owner of a client according to the store. */
export interface Incumbent {
  boot: string;
  conn: string;
  instanceId: string;
  /** When its instance last confirmed the claim, as the store tells it. */
  confirmed: string;
}

export type ClaimAnswer =
  | { answer: 'mine'; epoch: number }
  /** The incumbent's instance has a lease. */
  | { answer: 'held'; incumbent: Incumbent }
  /** The incumbent's instance lost its lease. */
  | { answer: 'lapsed'; incumbent: Incumbent };

/** The steps of the connect algorithm that depend on the driver. */
export interface ContendSteps {
  /**
   * Claims the client unless an incumbent prevents it. `dead` is an incumbent whose instance had neither lease nor hold.
   * It prevents the claim all the same if it was confirmed since.
   */
  claim(dead: Incumbent | undefined): Promise<ClaimAnswer>;
  /** `gone`: the incumbent did not answer, or its instance does not know it. Its claim has been released. */
  probe(incumbent: Incumbent): Promise<'alive' | 'gone' | 'no_answer'>;
  isHeld(boot: string): Promise<boolean>;
  pause(): Promise<void>;
  hasExpired(): boolean;
  /** A standby waits for an owner whose instance has its lease, whether that answers or not. */
  isPatient: boolean;
}

/**
 * Decides between a newcomer and an incumbent. An incumbent that answers a probe keeps the client. One that does not is
 * fenced, but not by a standby. One whose instance lost its lease also loses the client, unless that instance has a valid hold in
 * Postgres.
 */
export async function contend(steps: ContendSteps): Promise<ClaimOutcome> {
  let dead: Incumbent | undefined;
  let unanswered = '';
  while (!steps.hasExpired()) {
    const claimed = await steps.claim(dead);
    if (claimed.answer === 'mine') return { outcome: 'mine', epoch: claimed.epoch };
    const { boot, conn, instanceId } = claimed.incumbent;
    const duplicate: ClaimOutcome = { outcome: 'duplicate', ...(instanceId && { instanceId }) };
    if (claimed.answer === 'lapsed') {
      if (await steps.isHeld(boot)) return duplicate;
      dead = claimed.incumbent;
    } else if (steps.isPatient) {
      return duplicate;
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
