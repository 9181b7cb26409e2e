/** One connection for the holds, and one for the feed of credentials. */
export const vitalPool = 2;

/** It holds the instance's advisory lock. */
const lockConnections = 1;

/** It hears of headless sessions, while somebody waits for one. */
const noticeConnections = 1;

/** The connections to Postgres that an instance takes at most. */
export const connectionsOf = (databasePool: number): number =>
  databasePool + vitalPool + lockConnections + noticeConnections;
