import { count } from '@tabletop-relay/process';
import { Type } from 'typebox';

/** How much one key may call. */
export const keySettings = {
  clientDocuments: Type.Enum(['on', 'off'], {
    default: 'on',
    description:
      'Whether programs may sign in that are known by the address of a document of theirs, which the relay then fetches (https). `off` for relays without a way out: programs that register can still sign in.',
  }),
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
