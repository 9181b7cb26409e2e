import { count } from '@tabletop-relay/process';

/** How much one key may call. */
export const keySettings = {
  callsPerMinute: count(300, 'Calls per minute and key; 0: no limit.', 0),
  callsInFlightPerKey: count(100, 'Calls of one key that wait, on each instance.'),
};
