import type { Cluster } from '@tabletop-relay/cluster';
import type { SettingsOf } from '@tabletop-relay/process';
import type { Principal } from '../keys/authenticate.ts';
import { limitHeaders } from '../limits/limit-headers.ts';
import { ProblemError } from '../problem.ts';
import type { streamSettings } from './stream-settings.ts';
import { takenOver } from './stream-tickets.ts';
import type { TicketUse } from './stream-tickets.ts';
import { unavailable } from './unavailable.ts';

export type StreamLimits = Pick<SettingsOf<typeof streamSettings>, 'streamsPerKey' | 'streamsPerAccount'>;

/** Where one more try may succeed: a stream ends when its caller notices that it does. */
const retryAfterS = 5;

/**
 * Takes the place of one stream, or of one caller's socket, of a key, over all instances. A ticket that was used before takes the place of its earlier
 * streams, which the relay may not know to be gone yet. Rejects with `rate_limited`. Answers what gives the place back.
 */
export async function takeStreamSeat(
  { seats }: Pick<Cluster, 'seats'>,
  { accountId, keyId }: Principal,
  { streamsPerKey, streamsPerAccount }: StreamLimits,
  ticket: Pick<TicketUse, 'id' | 'turn'> | undefined,
): Promise<() => void> {
  const ofKey = { name: `key:${keyId}`, max: streamsPerKey };
  const ofAccount = { name: `account:${accountId}`, max: streamsPerAccount };
  const named = ticket && { name: ticket.id, turn: ticket.turn };
  const taken = await seats.take(accountId, [ofKey, ofAccount], named).catch(unavailable);
  if (taken.outcome === 'taken') return taken.leave;
  if (taken.outcome === 'overtaken') throw takenOver();
  const { max } = taken.hall;
  const whose = taken.hall === ofKey ? 'this key' : 'your account';
  throw new ProblemError(
    'rate_limited',
    `${max} event streams and sockets of ${whose} are open. Close one first.`,
    {
      retryAfterS,
      headers: limitHeaders(max, retryAfterS),
    },
  );
}
