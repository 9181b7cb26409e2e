import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** So many requests of a connection may wait for the answer before theirs. Programs that send ahead send a handful. */
const mostWaiting = 16;

/** Told by the listener for a request's headers, it makes the native parser stop behind them (`HPE_PAUSED` of llhttp). */
const stopHere = 21;

/** What Node's HTTP server reads a connection with. */
interface ParsedSocket extends Socket {
  parser: {
    onIncoming: (request: IncomingMessage & { upgrade: boolean }, keepsAlive: boolean) => number;
    resume(): void;
  } | null;
  _handle: { reading: boolean; readStart(): number; readStop(): number } | null;
  /** Whether Node reads no further, because the answers are not taken. */
  _paused: boolean;
}

/** How Node tells where the parser has stopped. */
interface ParserError extends Error {
  code: string;
  rawPacket: unknown;
  bytesParsed: number;
}

/**
 * Bounds the requests that one connection has sent before the answers to those before them. Node makes a request of all
 * that it has read at once: 64 KiB are thousands. So the parser is stopped behind the last one that may wait, the bytes
 * after it are kept, and nothing more is read until all of those have had their turn.
 */
export function createPipelines() {
  const pipelines = new WeakMap<Socket, ReturnType<typeof createPipeline>>();
  return {
    /** To be called with each request before it is handled. */
    count({ socket }: IncomingMessage, response: ServerResponse): void {
      // Nothing stands before it: such are all but a few.
      if (response.socket) return;
      let pipeline = pipelines.get(socket);
      if (!pipeline) pipelines.set(socket, (pipeline = createPipeline(socket as ParsedSocket)));
      pipeline.count(response);
    },
    /** To be called with each error of the parser. Whether it is none, because the parser was stopped here. */
    keepRest({ code, rawPacket, bytesParsed }: ParserError, socket: Socket): boolean {
      const pipeline = pipelines.get(socket);
      if (!pipeline || code !== 'HPE_PAUSED' || !Buffer.isBuffer(rawPacket)) return false;
      pipeline.keep(rawPacket.subarray(bytesParsed));
      return true;
    },
  };
}

function createPipeline(socket: ParsedSocket) {
  let waiting = 0;
  let kept: Buffer | undefined;
  let isDue = false;
  stopParser(socket, () => waiting >= mostWaiting);

  function goOnSoon(): void {
    // Node asks again when the answers are taken.
    if (isDue || !kept || waiting > 0 || socket._paused) return;
    isDue = true;
    // In a turn of its own, so that whoever sends ahead keeps nobody waiting.
    setImmediate(goOn);
  }

  function goOn(): void {
    isDue = false;
    const { parser, _handle: handle } = socket;
    if (!kept || !parser || !handle || socket._paused) return;
    const bytes = kept;
    kept = undefined;
    // The one of all handles again.
    Reflect.deleteProperty(handle, 'readStart');
    parser.resume();
    // To Node's listener, as if they had just been read.
    socket.emit('data', bytes);
    if (isHeld() || socket.isPaused() || handle.reading) return;
    handle.reading = true;
    handle.readStart();
  }

  const isHeld = () => kept !== undefined || socket.destroyed;

  return {
    count(response: ServerResponse): void {
      waiting++;
      response.once('socket', () => {
        waiting--;
        goOnSoon();
      });
    },
    keep(bytes: Buffer): void {
      const { _handle: handle } = socket;
      if (!handle) return;
      kept = bytes;
      handle.readStop();
      handle.reading = false;
      // Node would read on after each answer.
      handle.readStart = () => {
        handle.reading = false;
        goOnSoon();
        return 0;
      };
    },
  };
}

/** Lets the parser stop behind the headers of a request where that is one too many. */
function stopParser(socket: ParsedSocket, isFull: () => boolean): void {
  const { parser } = socket;
  if (!parser) return;
  const { onIncoming } = parser;
  parser.onIncoming = (request, keepsAlive) => {
    // Node says of one that we do not let have another protocol that it asks for none.
    const asksForProtocol = request.upgrade;
    const next = onIncoming(request, keepsAlive);
    if (!isFull()) return next;
    if (!asksForProtocol) return stopHere;
    // The parser stops there by itself and does not tell, so nothing behind it could be kept.
    socket.destroy();
    return next;
  };
}
