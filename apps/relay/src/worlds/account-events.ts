import { fastifySSE } from '@fastify/sse';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { CredentialEvent } from '../credentials/credential-feed.ts';
import { ProblemError, invalidFields } from '../problem.ts';
import { limitHeaders } from '../limits/limit-headers.ts';
import type { AccountApp, AccountDeps } from '../accounts/deps.ts';
import type { PresenceChange } from './presence.ts';
import type { SessionPrincipal } from '../accounts/sessions.ts';

const maxStreamsPerAccount = 20;
const keepAliveMs = 15_000;

/** `GET /auth/events`: the account's worlds coming and going, until the session ends. */
export async function eventRoutes(app: AccountApp, { feed, presence, log }: AccountDeps): Promise<void> {
  const open = new Map<string, Map<FastifyReply, SessionPrincipal>>();
  await app.register(fastifySSE, { heartbeatInterval: keepAliveMs });
  // The server closes when its connections are done: these never would be.
  app.addHook('preClose', (done) => {
    for (const streams of open.values()) for (const reply of streams.keys()) reply.sse.close();
    done();
  });
  const stopFeed = feed.subscribe((event) => {
    for (const [reply, session] of open.get(event.accountId) ?? []) {
      if (endsSession(event, session)) reply.sse.close();
    }
  });
  app.addHook('onClose', (_app, done) => {
    stopFeed();
    done();
  });

  app.get(
    '/auth/events',
    {
      // The plugin's own refusal by `Accept` is no problem document.
      sse: 'manual',
      // A HEAD would hold a stream that says nothing.
      exposeHeadRoute: false,
      schema: {
        summary: 'Follow your worlds coming and going',
        description:
          'Server-sent events: `connected` first, then `client-online` and `client-offline` with `{clientId}`, and `gap` when some may have been missed: read the list again.',
        response: {
          200: {
            description: 'The stream; it stays open.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
      config: { problems: ['invalid_request', 'rate_limited'] },
    },
    async (request, reply) => {
      const { session } = request;
      if (!acceptsEvents(request.headers.accept)) {
        throw invalidFields([{ field: 'accept', message: 'must allow text/event-stream' }]);
      }
      const streams = open.get(session.accountId) ?? new Map<FastifyReply, SessionPrincipal>();
      if (streams.size >= maxStreamsPerAccount) {
        throw new ProblemError('rate_limited', `${streams.size} event streams of your account are open.`, {
          headers: limitHeaders(maxStreamsPerAccount, 1),
        });
      }
      const send = (event: string, data: object) => {
        reply.sse.send({ event, data }).catch((error: unknown) => {
          log.info({ err: error }, 'an event stream of the dashboard ended');
          reply.sse.close();
        });
      };
      const stopPresence = presence.subscribe(session.accountId, (change) => tell(send, change));
      open.set(session.accountId, streams.set(reply, session));
      reply.sse.onClose(() => {
        stopPresence();
        streams.delete(reply);
        if (streams.size === 0 && open.get(session.accountId) === streams) open.delete(session.accountId);
      });
      reply.sse.keepAlive();
      await reply.sse.send({ event: 'connected', data: {}, retry: 3000 });
    },
  );
}

const acceptsEvents = (accept = '*/*') => /text\/event-stream|text\/\*|\*\/\*/i.test(accept);

function tell(send: (event: string, data: object) => void, change: PresenceChange | undefined): void {
  if (!change) send('gap', {});
  else send(change.isOnline ? 'client-online' : 'client-offline', { clientId: change.clientId });
}

/** Whether a stream of the account has to prove its session again: it ended, or the whole account changed. */
function endsSession(event: CredentialEvent, session: SessionPrincipal): boolean {
  if (event.change === 'sessions_ended') return event.subjectId !== session.sessionId;
  return event.subject === 'account' || event.subjectId === session.sessionId;
}
