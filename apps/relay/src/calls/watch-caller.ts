import type { FastifyReply } from 'fastify';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';

/** A caller that reads more slowly than this on average is cut off. Its bytes hold up the world that sent them. */
const leastBytesPerSecond = 64 * 1024;

/**
 * Watches over an answer whose bytes count as in flight. Lets them go when the caller has read them, and cuts off a
 * caller that reads nothing for `readMs`. A caller that is cut off sees a connection that ends before `content-length`.
 */
export function watchCaller({ raw }: FastifyReply, { body, release }: WorldReply, readMs: number): void {
  if (!release) return;
  if (raw.destroyed || raw.closed) return release();
  // Without a listener for it, Node destroys the socket at this time-out.
  raw.setTimeout(readMs);
  const longestMs = readMs + (body.length / leastBytesPerSecond) * 1_000;
  const timer = setTimeout(() => raw.destroy(), longestMs);
  // Before Node's own listener, which sets the time for which the connection may idle, or hands it to the next answer.
  raw.prependOnceListener('finish', () => raw.setTimeout(0));
  raw.once('close', () => {
    clearTimeout(timer);
    release();
  });
}
