import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A body that is announced to be no larger than this costs no more than headers may: 16 KiB. */
const smallBodyBytes = 16_384;

/** How long a client may go on sending behind an answer that came before its body's end. */
const lingerMs = 5_000;

/** The bytes that the headers announce. A chunked body tells no length: it may be endless. */
export function announcedBytes(headers: IncomingHttpHeaders): number {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : Infinity;
}

export function announcesMuch(headers: IncomingHttpHeaders): boolean {
  return announcedBytes(headers) > smallBodyBytes;
}

const bounded = new WeakSet<IncomingMessage>();

/**
 * To be called where a request is answered before its body was read. The rest is thrown away as it comes: a client
 * that sends everything before it reads must still find the answer, and closing the connection at once would cost
 * it that (TCP then resets what was not read). Past `maxBytes` or 5 s the connection is closed all the same.
 * `closes`: the answer says `connection: close`. False: the client announced more than will be read, so the answer
 * must say it.
 */
export function boundUnreadBody(
  request: IncomingMessage,
  { maxBytes, closes }: { maxBytes: number; closes: boolean },
): boolean {
  const announced = announcedBytes(request.headers);
  // A small body ends by itself where the connection goes on.
  if (request.complete || announced <= (closes ? 0 : smallBodyBytes) || bounded.has(request)) return true;
  bounded.add(request);
  const { socket } = request;
  const cut = () => socket.destroy();
  const deadline = setTimeout(cut, lingerMs);
  let left = maxBytes;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
  request.once('close', () => clearTimeout(deadline));
  // Node calls it as soon as an answer with `connection: close` is written: only our half may close then.
  socket.destroySoon = () => {
    socket.end();
    if (request.complete) cut();
    else request.once('end', cut);
  };
  return announced <= maxBytes || announced === Infinity;
}
