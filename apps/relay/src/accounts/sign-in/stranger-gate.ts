import { createFairGate } from '@tabletop-relay/kit';
import type { PaceMs } from '@tabletop-relay/kit';
import { addressPath, tooManyPasswords } from '../../credentials/passwords/password.ts';

export interface StrangerGateSettings {
  /** Over all accounts. */
  waiting: number;
  /** Of one account. */
  waitingPerAddress: number;
  waitMs: number;
}

/** A stranger to an account under attack. */
export interface Stranger {
  /** The e-mail address of the account. */
  account: string;
  address: string;
  /** On the monotonic clock. */
  deadline: number;
}

/**
 * Lets strangers to accounts under attack pass: of each account one at a time and about one a second, whatever is done to other
 * accounts. On each instance its own. Rejects with `overloaded` where there is no place, or no turn before the deadline.
 */
export type PassStranger = <T>(stranger: Stranger, work: () => Promise<T>) => Promise<T>;

const slowestMs = 1000;
const fastestMs = 100;

export function createStrangerGate({
  waiting,
  waitingPerAddress,
  waitMs,
}: StrangerGateSettings): PassStranger {
  const spareMs = 0.2 * waitMs;
  // Faster where many wait, so that all who found a place are heard in time.
  const paceMs: PaceMs = (ahead, deadline) => {
    const leftMs = deadline - performance.now() - spareMs;
    return Math.min(slowestMs, Math.max(fastestMs, leftMs / ahead));
  };
  const places = Math.max(1, Math.floor((waitMs - spareMs) / fastestMs));
  const gate = createFairGate({ waiting, paceMs, tooMany: tooManyPasswords });
  return ({ account, address, deadline }, work) => {
    const path = [{ key: account, max: places }, ...addressPath(address, waitingPerAddress)];
    return gate.pass({ path, isKnown: false, deadline }, work);
  };
}
