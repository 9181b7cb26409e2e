import { bytes, count } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';
import { Type } from 'typebox';

/** What an instance writes of calls. */
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
  callBodyBytesPerHour: bytes(
    33_554_432,
    'Bytes of requests and answers that an instance keeps for one account in an hour.',
  ),
};

/** What may wait in memory for Postgres. */
export const callLogConstants = {
  /** Milliseconds that calls are collected for, to be written together. */
  callRowsEveryMs: 1_000,
  /** Calls; beyond it the account with the most loses its oldest. */
  callRowsWaiting: 20_000,
  /** Calls of one account. */
  callRowsWaitingPerAccount: 2_000,
  /** Bytes of requests and answers; those beyond it are not kept. */
  callBodyBytesWaiting: 16_777_216,
};

export type CallLogSettings = SettingsOf<typeof callLogSettings> & typeof callLogConstants;
