import { ClusterUnavailable } from '@tabletop-relay/cluster';
import type { Cluster, Following, Position } from '@tabletop-relay/cluster';
import { channels } from '@tabletop-relay/contract';
import type { Channel, ChannelDefinition } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readClientId } from '../calls/router.ts';
import type { ChooseClient } from '../calls/router.ts';
import { authorize } from '../keys/authenticate.ts';
import type { Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import type { RelayMetrics } from '../metrics.ts';
import { invalidFields, ProblemError } from '../problem.ts';
import { createOutbox } from '../sockets/outbox.ts';
import { createEventFilter } from './event-filter.ts';
import { Listener } from './listener.ts';
import type { OpenListeners } from './open-listeners.ts';
import { readFilters } from './read-subscription.ts';
import { createPrepare, readEventId } from './sse-bytes.ts';
import type { Prepared } from './sse-bytes.ts';
import { streamSchema } from './stream-schema.ts';

export interface StreamRoutesDeps {
  cluster: Pick<Cluster, 'streams' | 'directory'>;
  chooseClient: ChooseClient;
  /** The problem of a client that is not online: `client_offline` where the account has it. */
  explainAbsence(accountId: string, clientId: string): Promise<ProblemError>;
  limits: CallLimits;
  open: OpenListeners;
  metrics: RelayMetrics;
  settings: { streamQueueBytes: number };
  isDraining(): boolean;
}

const streamScope = 'events:subscribe';

/** Adds one route per channel. The channel's definition has everything that the route needs. */
export function registerStreamRoutes(app: FastifyInstance, deps: StreamRoutesDeps): void {
  const openStream = createOpenStream(deps);
  for (const [name, channel] of Object.entries<ChannelDefinition>(channels)) {
    app.route({
      method: 'GET',
      url: channel.path,
      exposeHeadRoute: false,
      config: { anyOrigin: true, openApi: streamSchema(name, channel) },
      handler: (request, reply) => openStream(name as Channel, request, reply),
    });
  }
}

function createOpenStream(deps: StreamRoutesDeps) {
  const { cluster, chooseClient, limits, open, metrics, settings } = deps;
  const outbox = createOutbox();
  const prepareOf = sharedPrepare();
  const { monthly } = limits;

  return async function openStream(channel: Channel, request: FastifyRequest, reply: FastifyReply) {
    const { principal, query, headers } = request;
    authorize(principal, streamScope);
    const definition: ChannelDefinition = channels[channel];
    const named = readClientId(query, undefined, headers['x-client-id']);
    const filter = createEventFilter(definition, readFilters(definition, query));
    refuseOtherAnswers(headers.accept);
    if (deps.isDraining())
      throw new ProblemError('unavailable', 'This instance is going away. Connect again.');
    const clientId = await chooseClient(principal, named);
    await checkClient(principal, clientId, deps);
    const spentAt = await monthly.spend(principal);
    monthly.count(principal, spentAt);
    const following = await follow(cluster, { clientId, channel }, readEventId(headers['last-event-id']));
    const { raw } = reply;
    if (raw.destroyed) return following.stop();
    reply.hijack();
    raw.writeHead(200, { ...reply.getHeaders(), ...eventStreamHeaders } as Record<string, string>);
    raw.flushHeaders();
    const prepare = prepareOf.take(clientId, channel);
    const { streamQueueBytes: queueBytes } = settings;
    const listener = new Listener({
      response: raw,
      clientId,
      channel,
      following,
      filter,
      prepare,
      proof: '',
      queueBytes,
      outbox,
      metrics,
    });
    const remove = open.add({ listener, principal, clientId });
    metrics.openStreams.labels(channel).inc();
    raw.once('close', () => {
      following.stop();
      remove();
      prepareOf.giveBack(clientId, channel);
      metrics.openStreams.labels(channel).dec();
    });
    listener.start();
  };
}

const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // nginx would hold events back.
  'x-accel-buffering': 'no',
};

function refuseOtherAnswers(accept = '*/*'): void {
  if (/text\/event-stream|text\/\*|\*\/\*/i.test(accept)) return;
  throw invalidFields([{ field: 'accept', message: 'must allow text/event-stream' }]);
}

/** A world that is offline can be followed: its stream tells when it is back. One that the account does not have cannot. */
async function checkClient(
  { accountId }: Principal,
  clientId: string,
  { cluster, explainAbsence }: StreamRoutesDeps,
): Promise<void> {
  const found = await cluster.directory.find([clientId]).catch(unavailable);
  if (found.get(clientId)?.accountId === accountId) return;
  const problem = await explainAbsence(accountId, clientId);
  if (problem.code !== 'client_offline') throw problem;
}

async function follow(
  { streams }: Pick<Cluster, 'streams'>,
  stream: { clientId: string; channel: Channel },
  after: Position | undefined,
): Promise<Following> {
  return await streams.follow(stream, after).catch(unavailable);
}

function unavailable(cause: unknown): never {
  if (!(cause instanceof ClusterUnavailable)) throw cause;
  throw new ProblemError('unavailable', 'Events cannot be followed at the moment.', { cause });
}

/** All listeners of a stream share the bytes of its events. */
function sharedPrepare() {
  const shared = new Map<string, { prepare: ReturnType<typeof createPrepare>; users: number }>();
  return {
    take(
      clientId: string,
      channel: Channel,
    ): (followed: Parameters<ReturnType<typeof createPrepare>>[0]) => Prepared {
      const key = `${channel} ${clientId}`;
      const one = shared.get(key) ?? { prepare: createPrepare({ clientId, channel }), users: 0 };
      one.users++;
      shared.set(key, one);
      return one.prepare;
    },
    giveBack(clientId: string, channel: Channel): void {
      const key = `${channel} ${clientId}`;
      const one = shared.get(key);
      if (one && --one.users === 0) shared.delete(key);
    },
  };
}
