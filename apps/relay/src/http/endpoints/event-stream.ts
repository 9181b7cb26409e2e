import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Stream } from '../../endpoint-handler.ts';
import { createOutbox } from '../../sockets/outbox.ts';
import { eventText } from '../../streams/events/sse-bytes.ts';
import { keepAliveMs, refuseOtherAnswers, retryMs, SseWriter } from '../../streams/sse-writer.ts';

/** Its events are small and few: who leaves so much unread is gone. */
const mostUnreadBytes = 1_048_576;

/** Opens event streams, and closes those that are still open when the server closes, which waits for its connections. */
export function createEventStreams(app: FastifyInstance) {
  const open = new Set<SseWriter>();
  const outbox = createOutbox();
  const keepAlive = setInterval(() => {
    for (const writer of open) writer.write(': keep-alive\n\n');
  }, keepAliveMs).unref();
  app.addHook('preClose', (done) => {
    clearInterval(keepAlive);
    for (const writer of open) writer.end();
    done();
  });

  function openWriter(reply: FastifyReply): SseWriter {
    const writer = new SseWriter(reply, outbox);
    open.add(writer);
    reply.raw.once('close', () => open.delete(writer));
    writer.write(`retry: ${retryMs}\n\n`);
    return writer;
  }

  /** Answers a request with a stream. `run` may still refuse the request as long as it has sent nothing. */
  return async function answerWithEvents(
    request: FastifyRequest,
    reply: FastifyReply,
    run: (stream: Stream) => unknown,
  ): Promise<void> {
    refuseOtherAnswers(request.headers.accept);
    const { raw } = reply;
    let opened: SseWriter | undefined;
    /** Undefined where the caller has gone. */
    const writer = (): SseWriter | undefined => {
      if (!raw.destroyed) opened ??= openWriter(reply);
      return opened;
    };
    await run({
      send(event, data) {
        const open = writer();
        if (open && open.waitingBytes > mostUnreadBytes) open.cut();
        open?.write(eventText(event, data));
      },
      close: () => writer()?.end(),
      onClose(work) {
        if (raw.destroyed) work();
        else raw.once('close', work);
      },
    });
    if (!writer()) reply.hijack();
  };
}
