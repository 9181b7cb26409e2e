/** Bounds of callers’ sockets that are the same everywhere. */
export const callerSocketConstants = {
  /** Sockets whose key is not there yet; further upgrades are answered with 503. */
  strangersAtOnce: 2_000,
};
