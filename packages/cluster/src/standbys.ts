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
