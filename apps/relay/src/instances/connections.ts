/** One connection for the holds, and one for the feed of credentials. */
export const vitalPool = 2;

/** It holds the instance's advisory lock. */
const lockConnections = 1;

/** The connections to Postgres that an instance takes at most. */
export const connectionsOf = (databasePool: number): number => databasePool + vitalPool + lockConnections;
