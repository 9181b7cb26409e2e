import { channels } from '@tabletop-relay/contract';
import type { Channel, ChannelDefinition } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import { codeOf, invalidFields } from '../problem.ts';
import { createOpenStream } from './open-stream.ts';
import type { OpenStreamDeps } from './open-stream.ts';
import type { Granted } from './open-listener.ts';
import { putOff } from './put-off.ts';
import { readResumeId, resumeNames } from './resume-id.ts';
import { readEventId } from './events/sse-bytes.ts';
import { eventStreamHeaders } from './sse-writer.ts';
import { streamSchema } from './stream-schema.ts';
import { refusedTicket } from './stream-tickets.ts';
import type { StreamTickets, TicketUse } from './stream-tickets.ts';
import { checkChannel, checkClient, readSubscription } from './subscription.ts';
import type { SubscriptionDeps } from './subscription.ts';
import type { WatchOpening } from './watch-keys.ts';

export interface StreamRoutesDeps extends Omit<OpenStreamDeps, 'cluster'>, Omit<SubscriptionDeps, 'cluster'> {
  cluster: OpenStreamDeps['cluster'] & SubscriptionDeps['cluster'];
  authenticate: Authenticate;
  limits: Pick<CallLimits, 'monthly' | 'spendMinute'>;
  tickets: StreamTickets;
  watchOpening: WatchOpening;
}

/** Adds one route per channel. The channel's definition has everything that the route needs. */
export function registerStreamRoutes(app: FastifyInstance, deps: StreamRoutesDeps): void {
  const answer = createAnswer(deps);
  for (const [name, channel] of Object.entries<ChannelDefinition>(channels)) {
    app.route({
      method: 'GET',
      url: channel.path,
      exposeHeadRoute: false,
      config: { anyOrigin: true, openApi: streamSchema(name, channel) },
      async handler(request, reply) {
        refuseInPipeline(reply);
        try {
          await answer(request, reply, name as Channel);
        } catch (error) {
          const wait = putOff(request, error);
          if (wait === undefined) throw error;
          await reply.headers(eventStreamHeaders).send(wait);
        }
      },
    });
  }
}

function createAnswer(deps: StreamRoutesDeps) {
  const { limits, watchOpening } = deps;
  const openStream = createOpenStream(deps);
  return async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    channel: Channel,
  ): Promise<void> {
    const caller = await identify(deps, channel, request);
    const { principal, ticket } = caller;
    const opening = watchOpening(principal);
    try {
      if (ticket) await checkTicket(deps, ticket);
      void reply.headers(await limits.spendMinute(principal));
      const { query, headers } = request;
      const asked = { channel, principal, query, header: headers['x-client-id'] };
      const subscription = ticket?.subscription ?? (await readSubscription(deps, asked));
      await openStream(request, reply, { ...caller, subscription, opening });
    } finally {
      opening.end();
      ticket?.endOpening();
    }
  };
}

/** The world may have been deleted since the ticket was made, or have another module. Its events of changes are heard already. */
async function checkTicket(deps: StreamRoutesDeps, ticket: TicketUse): Promise<void> {
  await checkClient(deps, ticket.principal, ticket.subscription.clientId).catch((error: unknown) => {
    throw codeOf(error) === 'client_not_found' ? refusedTicket() : error;
  });
  await checkChannel(deps, ticket.principal, ticket.subscription);
}

/** A request that was sent before the last one of its connection was answered. Its events would pile up behind that answer. */
function refuseInPipeline({ raw }: FastifyReply): void {
  if (raw.socket) return;
  throw invalidFields([
    { field: 'connection', message: 'still waits for another answer: open the stream on one of its own' },
  ]);
}

/** Finds out who asks: by the key of the request, or by a ticket that was made with a key. */
async function identify(
  { authenticate, tickets }: StreamRoutesDeps,
  channel: Channel,
  request: FastifyRequest,
): Promise<Pick<Granted, 'principal' | 'ticket'>> {
  const { headers, ip: address, raw } = request;
  const query = request.query as Readonly<Record<string, unknown>>;
  if (query['ticket'] === undefined) {
    return { principal: await authenticate(headers['x-api-key'], address, raw.socket) };
  }
  const shown = readEventId(readResumeId(request))?.proof ?? '';
  const ticket = await tickets.use({ ticket: readTicket(query), channel, shown, address });
  return { principal: ticket.principal, ticket };
}

/** A ticket is made for one subscription, so nothing may stand beside it but the place to resume from. */
function readTicket(query: Readonly<Record<string, unknown>>): string {
  const beside: readonly string[] = ['ticket', ...resumeNames];
  const others = Object.keys(query).filter((name) => !beside.includes(name));
  const { ticket } = query;
  if (typeof ticket === 'string' && others.length === 0) return ticket;
  const message = 'must stand alone and once: the world and the filters were given when it was made';
  throw invalidFields([{ field: 'ticket', place: 'query', message }]);
}
