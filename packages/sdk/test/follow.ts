import { createRelay } from '../src/create-relay.ts';
import type { FollowOptions } from '../src/events/event-streams.ts';
import type { StreamEvent } from '../src/events/stream-event.ts';
import type { RelayOptions } from '../src/relay.ts';
import { serveStreams } from './stream-server.ts';
import type { Listener, Refusal, Script } from './stream-server.ts';

type Options = Partial<RelayOptions>;

export async function relayWith(turns: (Script | Refusal)[], options: Options = {}) {
  return createRelay({ url: await serveStreams(...turns), apiKey: 'trk_key', clientId: 'demo', ...options });
}

export const turn = (round: number) => ({ clientId: 'demo', channel: 'combat', timestamp: 1, eventType: 'turn', encounterId: 'e', round }); // prettier-ignore
export const connected = { clientId: 'demo', channel: 'combat', recovered: true };

/** Says that the stream is open, then these rounds; `g:<round>` is the id of each. */
export function tell(listener: Listener, ...rounds: number[]) {
  listener.send('connected', connected, 'g:0');
  for (const round of rounds) listener.send('combat-turn', turn(round), `g:${round}`);
}

/** The first events of a stream of fights. */
export async function take(
  turns: (Script | Refusal)[],
  count: number,
  options: FollowOptions & Options = {},
): Promise<StreamEvent<'combat'>[]> {
  const relay = await relayWith(turns, options);
  const taken: StreamEvent<'combat'>[] = [];
  for await (const event of relay.events.combat({}, options)) if (taken.push(event) === count) break;
  return taken;
}
