import { count } from '@tabletop-relay/process';

/** How much one key may call. */
export const keySettings = {
  callsPerMinute: count(
    300,
    'Calls per minute and key over all instances; 0: no limit. Never exceeded. A refusal may come early: by an eighth of what is left, or by one for each instance that the key called within 10 s, whichever is more.',
    0,
  ),
  callsInFlightPerKey: count(
    100,
    'Calls of one key that wait, on each instance; also the requests of one module to other worlds.',
  ),
};
