import { bytes, count } from '@tabletop-relay/process';
import { Type } from 'typebox';

/** What an instance writes of calls, and what may wait in memory for Postgres. */
export const callLogSettings = {
  callLog: Type.Boolean({
    default: true,
    description:
      'Whether calls are recorded. Off: the call log, the overview and the plots of keys stay empty.',
  }),
  callRowsPerSecond: count(
    500,
    'Calls a second that an instance records one by one. Above it it keeps all failures and a sample of the rest.',
  ),
  callRowsWaiting: count(
    20_000,
    'Calls that may wait in memory for Postgres; beyond it the account with the most loses its oldest.',
  ),
  callRowsWaitingPerAccount: count(2_000, 'The same for one account.'),
  callBodyBytesWaiting: bytes(
    16_777_216,
    'Bytes of requests and answers that may wait in memory for Postgres; those beyond it are not kept.',
  ),
  callBodyBytesPerHour: bytes(
    33_554_432,
    'Bytes of requests and answers that an instance keeps for one account in an hour.',
  ),
};
