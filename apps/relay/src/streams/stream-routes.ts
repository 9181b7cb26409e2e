import { channels } from '@tabletop-relay/contract';
import type { Channel, ChannelDefinition } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate, Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import { invalidFields } from '../problem.ts';
import { createOpenStream, eventStreamHeaders } from './open-stream.ts';
import type { Granted, OpenStreamDeps } from './open-stream.ts';
import { putOff } from './put-off.ts';
import { readEventId } from './sse-bytes.ts';
import { streamSchema } from './stream-schema.ts';
import type { StreamTickets } from './stream-tickets.ts';
import { readSubscription } from './subscription.ts';
import type { SubscriptionDeps } from './subscription.ts';

export interface StreamRoutesDeps extends Omit<OpenStreamDeps, 'cluster'>, Omit<SubscriptionDeps, 'cluster'> {
  cluster: OpenStreamDeps['cluster'] & SubscriptionDeps['cluster'];
  authenticate: Authenticate;
  limits: Pick<CallLimits, 'monthly' | 'spendMinute'>;
  tickets: StreamTickets;
}

/** Adds one route per channel. The channel's definition has everything that the route needs. */
export function registerStreamRoutes(app: FastifyInstance, deps: StreamRoutesDeps): void {
  const openStream = createOpenStream(deps);
  for (const [name, channel] of Object.entries<ChannelDefinition>(channels)) {
    app.route({
      method: 'GET',
      url: channel.path,
      exposeHeadRoute: false,
      config: { anyOrigin: true, openApi: streamSchema(name, channel) },
      async handler(request, reply) {
        refuseInPipeline(reply);
        try {
          await openStream(request, reply, await grant(deps, name as Channel, request, reply));
        } catch (error) {
          const wait = putOff(request, error);
          if (wait === undefined) throw error;
          await reply.headers(eventStreamHeaders).send(wait);
        }
      },
    });
  }
}

/** A request that was sent before the last one of its connection was answered. Its events would pile up behind that answer. */
function refuseInPipeline({ raw }: FastifyReply): void {
  if (raw.socket) return;
  throw invalidFields([
    { field: 'connection', message: 'still waits for another answer: open the stream on one of its own' },
  ]);
}

/** Finds out who asks for what: by the key of the request, or by a ticket that was made with a key. */
async function grant(
  deps: StreamRoutesDeps,
  channel: Channel,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Granted> {
  const { headers, ip: address } = request;
  const query = request.query as Readonly<Record<string, unknown>>;
  const { limits, tickets } = deps;
  const countCall = async (principal: Principal) =>
    void reply.standing.push(...(await limits.spendMinute(principal)));
  if (query['ticket'] !== undefined) {
    const ticket = readTicket(query);
    const shown = readEventId(headers['last-event-id'])?.proof ?? '';
    const used = await tickets.use({ ticket, channel, shown, address });
    const { principal, subscription } = used;
    await countCall(principal);
    return { principal, subscription, ticket: used };
  }
  const principal = await deps.authenticate(headers['x-api-key'], address, request.raw.socket);
  await countCall(principal);
  const header = headers['x-client-id'];
  return { principal, subscription: await readSubscription(deps, { channel, principal, query, header }) };
}

/** A ticket is made for one subscription, so nothing may stand beside it. */
function readTicket(query: Readonly<Record<string, unknown>>): string {
  const others = Object.keys(query).filter((name) => name !== 'ticket');
  const { ticket } = query;
  if (typeof ticket === 'string' && others.length === 0) return ticket;
  const message = 'must stand alone and once: the world and the filters were given when it was made';
  throw invalidFields([{ field: 'ticket', place: 'query', message }]);
}
