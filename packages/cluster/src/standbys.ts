import type { Claim, ClaimOutcome } from './cluster.ts';

/** How many may wait for one client, over all instances. */
export const maxStandbys = 5;

/** A socket that waits for a client, on any instance that lives. */
export interface Standby extends Claim {
  /** Its instance. */
  boot: string;
}

/**
 * Sockets that wait for a client which another socket serves. They are told when the client seems free (`Instance.promote`),
 * and may then claim it: one claim is made at a time, under the lease, as any other. So however many try, one owner results.
 */
export interface Standbys {
  /**
   * Puts a socket on the waiting list of its client, until `leave`. It is kept there while this instance has a lease. `full`:
   * five wait already. Rejects with `ClusterUnavailable`.
   */
  join(standby: Claim): Promise<'waiting' | 'full'>;
  /** Takes a socket off the list. Has no effect on one that is not there. */
  leave(clientId: string, conn: string): void;
  /**
   * Claims the client for a standby. Unlike a newcomer, it neither pings an owner that has its lease nor fences it, and leaves a
   * client alone whose own browser is expected back. `duplicate`: the client is served, or expected.
   */
  succeed(claim: Claim): Promise<ClaimOutcome>;
  /**
   * Takes the client from its living owner, for a standby that a person chose. The owner acts no more before the claim is made; its
   * socket is evicted as `handed_over`.
   */
  takeOver(claim: Claim): Promise<ClaimOutcome>;
  /**
   * Releases a client whose socket has ended to its standbys, who are told. `isWhole`: all that the socket brought was appended, so
   * that listeners need no gap where the next one claims within a second.
   */
  vacate(clientId: string, conn: string, end: { isWhole: boolean }): Promise<void>;
  /** Those that wait for each of these clients, the longest waiting first. Rejects with `ClusterUnavailable`. */
  find(clientIds: readonly string[]): Promise<Map<string, Standby[]>>;
}

/** How a claim is released. */
export interface Going {
  /** The client has so long to come back; 0: it is gone. */
  movingMs: number;
  /** After so long a standby may have it. */
  standbyMs: number;
  /**
   * What of its events may be missing. `whole`: none, where the next owner claims within a second. `writing`: this conn appends
   * what it has beside the next one. `unknown`: some may be.
   */
  left: 'whole' | 'writing' | 'unknown';
}

/** A client that is expected back. Standbys wait for a third of its time: most come at the beginning of it. */
export const expected = (movingMs: number): Going => ({
  movingMs,
  standbyMs: movingMs / 3,
  left: 'unknown',
});

/** A client that is left to its standbys. The first second of it decides whether listeners hear of a gap. */
export const vacated = (isWhole: boolean): Going => ({
  movingMs: 5_000,
  standbyMs: 0,
  left: isWhole ? 'whole' : 'unknown',
});

/** A client that a chosen standby is about to claim. The others wait, in case it cannot. */
export const yielded: Going = { movingMs: 5_000, standbyMs: 2_000, left: 'writing' };

export const wholeMs = 1_000;
