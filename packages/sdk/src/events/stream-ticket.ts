import { addresses } from '@tabletop-relay/contract';
import type { Channel, EndpointTypes } from '@tabletop-relay/contract/types';
import { channelPaths } from '../generated/channel-paths.ts';
import { endpointRequest } from '../requests/endpoint-request.ts';
import type { Follow } from './event-streams.ts';

/** Opens one stream in place of a key: for an EventSource, which cannot send a header. */
export type StreamTicket = EndpointTypes['createStreamTicket']['answer'];

/** The request for a ticket to follow a channel, narrowed by its filters. */
export function ticketRequest(channel: Channel, follow: Follow<Channel>): ReturnType<typeof endpointRequest> {
  const given = Object.entries(follow).filter(([, value]) => value !== undefined);
  const query = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  return endpointRequest(addresses.createStreamTicket, { path: channelPaths[channel], query });
}
