import { count } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';

/** How many records may wait in memory for Postgres. */
export const recordSettings = {
  recordsWaiting: count(
    20_000,
    'Rows of logs that may wait in memory for Postgres; beyond it the account with the most loses its oldest.',
  ),
  recordsWaitingPerAccount: count(
    5_000,
    'The same for one account, and for all attempts together that no account owns.',
  ),
};

export function readBacklogLimits(settings: SettingsOf<typeof recordSettings>) {
  return { maxBacklog: settings.recordsWaiting, maxBacklogPerAccount: settings.recordsWaitingPerAccount };
}
