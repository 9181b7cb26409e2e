import { fastifySSE } from '@fastify/sse';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Stream } from '../../endpoint-handler.ts';
import { invalidFields } from '../../problem.ts';

const keepAliveMs = 15_000;
/** A browser that lost its stream waits so long before it connects again. */
const retryMs = 3_000;

/** Lets the routes of this scope answer with server-sent events. */
export async function allowEventStreams(app: FastifyInstance): Promise<void> {
  await app.register(fastifySSE, { heartbeatInterval: keepAliveMs });
}

/** Opens event streams, and closes those that are still open when the server closes, which waits for its connections. */
export function createEventStreams(app: FastifyInstance) {
  const open = new Set<FastifyReply>();
  app.addHook('preClose', (done) => {
    for (const reply of open) reply.sse.close();
    done();
  });

  /** Answers a request with a stream. `run` may still refuse the request as long as it has sent nothing. */
  return async function answerWithEvents(
    request: FastifyRequest,
    reply: FastifyReply,
    run: (stream: Stream) => unknown,
  ): Promise<void> {
    if (!acceptsEvents(request.headers.accept)) {
      throw invalidFields([{ field: 'accept', message: 'must allow text/event-stream' }]);
    }
    let isFirst = true;
    await run({
      send(event, data) {
        const message = { event, data, ...(isFirst ? { retry: retryMs } : {}) };
        isFirst = false;
        reply.sse.send(message).catch((error: unknown) => {
          request.log.info({ requestId: request.id, err: error }, 'an event stream ended');
          reply.sse.close();
        });
      },
      close: () => reply.sse.close(),
      onClose: (work) => reply.sse.onClose(work),
    });
    open.add(reply);
    reply.sse.onClose(() => open.delete(reply));
    reply.sse.keepAlive();
  };
}

const acceptsEvents = (accept = '*/*') => /text\/event-stream|text\/\*|\*\/\*/i.test(accept);
