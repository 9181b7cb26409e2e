import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { addressBlock } from '../../limits/ip-allowlist.ts';
import { waitToRead } from './reading-line.ts';

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

/**
 * To be called where a request is answered before its body was read. Reading stops until the answer is written. Then
 * the rest is read and thrown away in turns with all others (`reading-line.ts`): a client that sends everything before
 * it reads must still find the answer, and closing the connection at once would cost it that (TCP then resets what was
 * not read). Past `maxBytes` or 5 s the connection is closed all the same.
 * `closes`: the answer says `connection: close`. True: it must say so.
 */
export function boundUnreadBody(
  request: IncomingMessage,
  { maxBytes, closes }: { maxBytes: number; closes: boolean },
): boolean {
  // A small body ends by itself where the connection goes on.
  if (request.complete || announcedBytes(request.headers) <= (closes ? 0 : smallBodyBytes)) return false;
  const { socket } = request;
  const closeSoon = socket.destroySoon.bind(socket);
  // Node calls these when the answer is written, to read the rest as fast as it comes.
  Object.assign(request, { _read: () => {}, _dump: () => {} });
  socket.pause();
  // Node calls it as soon as an answer with `connection: close` is written.
  socket.destroySoon = () => {
    if (request.complete) closeSoon();
    else throwAway(request, { maxBytes, closeSoon });
  };
  return true;
}

/**
 * Our half stays open meanwhile: at its end most clients close theirs, whatever they have sent, and a flood would open
 * its next connection at once.
 */
function throwAway(
  request: IncomingMessage,
  { maxBytes, closeSoon }: { maxBytes: number; closeSoon(): void },
): void {
  const { socket } = request;
  const sender = addressBlock(socket.remoteAddress ?? '');
  const cut = () => socket.destroy();
  const deadline = setTimeout(cut, lingerMs);
  let left = maxBytes;
  let leave = waitToRead(sender, socket);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    // The parser may still read it in this turn.
    setImmediate(giveBack, chunk);
    if (left < 0) cut();
    // Else it is more of the same chunk.
    if (socket.destroyed || socket.isPaused()) return;
    socket.pause();
    leave = waitToRead(sender, socket);
  });
  request.resume();
  request.once('end', closeSoon);
  socket.once('close', () => {
    clearTimeout(deadline);
    leave();
  });
}

/**
 * Frees a chunk's memory at once. Left to the collector, 64 MiB of chunks make it walk through the whole heap, and
 * every call on this instance waits for that.
 */
function giveBack({ buffer, byteLength }: Buffer): void {
  // A chunk that is a part of a larger buffer is left, because others use that buffer too.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
