import { channels, eventEndpoints } from '@tabletop-relay/contract';
import type { Channel, ChannelDefinition } from '@tabletop-relay/contract';
import { serve } from '../endpoint-handler.ts';
import type { HandlersOf, ServedEndpoint } from '../endpoint-handler.ts';
import type { Principal } from '../keys/authenticate.ts';
import { ticketSeconds } from './stream-tickets.ts';
import type { StreamTickets } from './stream-tickets.ts';
import { readSubscription } from './subscription.ts';
import type { SubscriptionDeps } from './subscription.ts';

export interface TicketHandlerDeps extends SubscriptionDeps {
  tickets: StreamTickets;
}

const channelsByPath = new Map(
  Object.entries<ChannelDefinition>(channels).map(([name, { path }]) => [path as string, name as Channel]),
);

/** The endpoints of this room. The streams themselves are routes of their own. */
export function serveEvents(deps: TicketHandlerDeps): ServedEndpoint[] {
  const handlers: HandlersOf<typeof eventEndpoints, Principal> = {
    async createStreamTicket({ body: { path, query = {} } }, { principal, publicUrl }) {
      const channel = channelsByPath.get(path) as Channel;
      const subscription = await readSubscription(deps, { channel, principal, query, header: undefined });
      const ticket = await deps.tickets.issue(principal, subscription);
      return { ticket, url: `${publicUrl}${path}?ticket=${ticket}`, expiresIn: ticketSeconds };
    },
  };
  return serve(eventEndpoints, handlers);
}
