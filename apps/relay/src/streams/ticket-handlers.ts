import { channels, eventEndpoints } from '@tabletop-relay/contract';
import type { Channel, ChannelDefinition } from '@tabletop-relay/contract';
import { serve } from '../endpoint-handler.ts';
import type { HandlersOf, ServedEndpoint } from '../endpoint-handler.ts';
import type { Principal } from '../keys/authenticate.ts';
import { invalidFields, ProblemError } from '../problem.ts';
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

/** The filters stand in the body's `query` here, so their faults are named there. */
function refuseInQuery(error: unknown): never {
  if (!(error instanceof ProblemError) || error.code !== 'invalid_request') throw error;
  const { errors = [] } = error.fields;
  throw invalidFields(errors.map(({ field, message }) => ({ field: `query.${field}`, message })));
}

/** The endpoints of this room. The streams themselves are routes of their own. */
export function serveEvents(deps: TicketHandlerDeps): ServedEndpoint[] {
  const handlers: HandlersOf<typeof eventEndpoints, Principal> = {
    async createStreamTicket({ body: { path, query = {} } }, { principal, publicUrl }) {
      const channel = channelsByPath.get(path) as Channel;
      const asked = { channel, principal, query, header: undefined };
      const subscription = await readSubscription(deps, asked).catch(refuseInQuery);
      const ticket = await deps.tickets.issue(principal, subscription);
      return { ticket, url: `${publicUrl}${path}?ticket=${ticket}`, expiresIn: ticketSeconds };
    },
  };
  return serve(eventEndpoints, handlers);
}
