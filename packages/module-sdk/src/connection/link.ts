import { maxHandoverLength } from '@tabletop-relay/contract';
import type { Channel } from '@tabletop-relay/contract/types';
import type { EventOptions, ModuleDeclarations, WorldPause } from '../tabletop-module.ts';
import { channelFrames, channelNames } from './channel-frames.ts';
import { createCommands } from '../commands/commands.ts';
import type { Frame } from '../commands/commands.ts';
import type { Handlers, TraceCommand } from '../commands/handlers.ts';
import type { CommandMemory } from '../commands/memory.ts';
import { FrameTooLarge } from '../errors.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { LinkEnd } from './reconnect.ts';
import { createRequests } from '../commands/requests.ts';

const openWithinMs = 30_000;
/** A relay that cannot reach its stores keeps the socket for 60 s, and lets it in when it can. */
const readyWithinMs = 75_000;
/** A ping of this browser, one of the other, and the claim. */
const serveWithinMs = 10_000;
const usualHeartbeatMs = 20_000;
/** Largest frame of a relay that does not announce one. */
const usualFrameBytes = 16 * 1024 * 1024;
/** Events are left out above so much unsent data: a slow line must not fill the tabletop's memory. The next one says how many. */
const eventBacklogBytes = 4 * 1024 * 1024;

export interface LinkOptions {
  WebSocket: typeof WebSocket;
  url: string;
  token: string;
  /** From the `reconnect` frame of the socket that this one follows. */
  handover?: string | undefined;
  handlers: Handlers;
  declares: ModuleDeclarations;
  /** The module waits where another browser serves. */
  standby: boolean;
  trace: TraceCommand | undefined;
  memory: CommandMemory;
  /** How many events of a channel were left out since the last that was sent, by whatever link. */
  leftOut: Map<Channel, number>;
  onReady: (hello: Hello) => void;
  /** The socket waits: another browser serves the world. `onReady` follows when this one does. */
  onStandby: (hello: Hello) => void;
  onListeners: (channel: Channel, count: number) => void;
  /** The pauses of the world that stand, when the relay lets the module in and on each change. */
  onPauses: (pauses: WorldPause[]) => void;
  /**
   * The instance goes away; connect anew after so long, with the `handover` if the relay gave one. The socket still serves
   * until the relay closes it.
   */
  onGoingAway: (afterMs: number, handover: string | undefined) => void;
  /** Once, unless `close` was called before. */
  onEnd: (end: LinkEnd) => void;
  onError: (error: unknown) => void;
}

/** Where a socket was let in. */
export interface Hello {
  clientId: string;
  instanceId: string;
}

/** One socket from opening to its end: what came down it is answered up it, or not at all. */
export interface Link {
  /**
   * False where the frame was dropped: before authentication and after the end. Throws where it is not JSON, and `FrameTooLarge` where the
   * relay would drop it.
   */
  send(frame: object): boolean;
  sendEvent(channel: Channel, data: object, options?: EventOptions): boolean;
  ask(frame: object & { type: string }, timeoutMs: number): Promise<Frame>;
  /** Asks for the place of the browser that serves. Resolves when this one does; rejects with `RelayError`. */
  serve(): Promise<void>;
  /** Looks whether the line still stands, for a page that wakes: the end comes within seconds where it does not. */
  askNow(): void;
  close(): void;
}

/** Opens a socket and authenticates; throws where the platform refuses the address. */
// oxlint-disable-next-line max-lines-per-function -- One state machine: its short functions share the state of the socket.
export function openLink(options: LinkOptions): Link {
  const { onError, leftOut } = options;
  const socket = new options.WebSocket(options.url);
  let heartbeat: Heartbeat | undefined;
  let readyAt: number | undefined;
  let isStandby = false;
  let maxFrameBytes = usualFrameBytes;
  let ended = false;

  const send = (frame: object): boolean => {
    if (readyAt === undefined || ended || socket.readyState !== socket.OPEN) return false;
    const text = JSON.stringify(frame);
    if (isLonger(text, maxFrameBytes)) throw new FrameTooLarge(maxFrameBytes);
    socket.send(text);
    return true;
  };
  /** A socket that waits may ask to serve, and whether the line stands. */
  const sendWaiting = (frame: object): boolean => {
    if (!isStandby) return send(frame);
    if (ended || socket.readyState !== socket.OPEN) return false;
    socket.send(JSON.stringify(frame));
    return true;
  };
  const requests = createRequests(sendWaiting);
  const commands = createCommands({
    handlers: options.handlers,
    trace: options.trace,
    memory: options.memory,
    reply: send,
    onError,
  });

  const stop = () => {
    ended = true;
    clearTimeout(deadline);
    heartbeat?.stop();
    commands.cancelAll('The connection to the relay ended');
    requests.rejectAll();
  };
  const end = (code: number, reason: string) => {
    if (ended) return;
    stop();
    options.onEnd({ code, reason, readyForMs: readyAt === undefined ? 0 : performance.now() - readyAt });
  };
  // A dead line answers no closing handshake: the socket is given up at once.
  const giveUp = (reason: string) => {
    end(1006, reason);
    socket.close();
  };
  const startDeadline = (ms: number) => setTimeout(() => giveUp('The relay did not answer in time'), ms);
  let deadline = startDeadline(openWithinMs);

  const keepUp = (heartbeatMs: unknown) => {
    clearTimeout(deadline);
    heartbeat?.stop();
    heartbeat = startHeartbeat({
      everyMs: within(heartbeatMs, 100, 300_000) ?? usualHeartbeatMs,
      ping: () => void sendWaiting({ type: 'ping' }),
      onSilent: () => giveUp('The relay fell silent'),
    });
  };

  const welcome = (frame: Frame) => {
    const { maxFrameBytes: given, pauses } = frame;
    readyAt = performance.now();
    isStandby = false;
    maxFrameBytes = within(given, 1_024, Number.MAX_SAFE_INTEGER) ?? usualFrameBytes;
    keepUp(frame['heartbeatMs']);
    options.onReady(helloOf(frame));
    options.onPauses(readPauses(pauses));
    requests.settle(frame);
  };

  const takeEarly = (frame: Frame): void => {
    if (frame.type === 'auth-success') welcome(frame);
    else if (frame.type === 'standby') {
      isStandby = true;
      keepUp(frame['heartbeatMs']);
      options.onStandby(helloOf(frame));
    } else if (frame.type === 'error') requests.refuse(frame);
  };

  const take = (frame: Frame): void => {
    const { type, requestId } = frame;
    if (readyAt === undefined) return takeEarly(frame);
    switch (type) {
      case 'auth-success':
      case 'pong':
        return;
      case 'error':
        if (requests.refuse(frame)) return;
        return onError(new Error(`The relay refused a frame: ${JSON.stringify(frame['code'])}`));
      case 'cancel':
        return commands.cancel(requestId);
      case 'remote-response':
      case 'known-clients-result':
        return requests.settle(frame);
      case 'pauses':
        requests.settle(frame);
        return options.onPauses(readPauses(frame['pauses']));
      case 'event-subscription-update': {
        const channel = channelNames.find((name) => channelFrames[name].wire === frame['channel']);
        const count = within(frame['count'], 0, Number.MAX_SAFE_INTEGER);
        return channel && count !== undefined ? options.onListeners(channel, count) : undefined;
      }
      case 'reconnect': {
        const afterMs = within(frame['afterMs'], 0, 300_000);
        const handover = textWithin(frame['handover'], maxHandoverLength);
        return afterMs === undefined ? undefined : options.onGoingAway(afterMs, handover);
      }
      default:
        if (typeof requestId === 'string') commands.run({ ...frame, requestId });
    }
  };

  socket.addEventListener('open', () => {
    const { token, handover, declares, memory, standby } = options;
    if (ended) return;
    clearTimeout(deadline);
    deadline = startDeadline(readyWithinMs);
    const auth = { ...declares, type: 'auth', token, handover, handsOver: true, remembers: memory.name };
    socket.send(JSON.stringify(standby ? { ...auth, standby } : auth));
  });
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (ended) return;
    heartbeat?.heard();
    const frame = readFrame(data);
    if (frame) take(frame);
  });
  // An `error` event says nothing; `close` always follows it.
  socket.addEventListener('close', ({ code, reason }) => end(code, reason));

  return {
    send,
    sendEvent(channel, data, { visibleTo } = {}) {
      const dropped = leftOut.get(channel);
      const leaveOut = () => leftOut.set(channel, (dropped ?? 0) + 1);
      if (socket.bufferedAmount >= eventBacklogBytes) {
        leaveOut();
        return false;
      }
      try {
        const isSent = send({ type: channelFrames[channel].frame, data, dropped, visibleTo });
        if (isSent) leftOut.delete(channel);
        return isSent;
      } catch (error) {
        if (error instanceof FrameTooLarge) leaveOut();
        throw error;
      }
    },
    ask: requests.ask,
    serve: async () => void (await requests.ask({ type: 'serve' }, serveWithinMs)),
    askNow: () => heartbeat?.askNow(),
    close() {
      if (ended) return;
      stop();
      socket.close(1000);
    },
  };
}

const helloOf = ({ clientId, instanceId }: Frame): Hello => ({
  clientId: String(clientId),
  instanceId: String(instanceId),
});

/** Whether a text has more bytes in UTF-8: one to three for each unit of its length. */
function isLonger(text: string, bytes: number): boolean {
  if (text.length > bytes || 3 * text.length <= bytes) return text.length > bytes;
  return new TextEncoder().encode(text).length > bytes;
}

function readFrame(data: unknown): Frame | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const value = JSON.parse(data) as Partial<Frame> | null;
    return typeof value?.type === 'string' ? (value as Frame) : undefined;
  } catch {
    return undefined;
  }
}

/** A relay of an older version tells none. */
function readPauses(value: unknown): WorldPause[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: Partial<WorldPause> | null) =>
    (one?.setIn === 'relay' || one?.setIn === 'tabletop') && typeof one.since === 'string'
      ? [{ setIn: one.setIn, since: one.since }]
      : [],
  );
}

function textWithin(value: unknown, maxLength: number): string | undefined {
  return typeof value === 'string' && value.length <= maxLength ? value : undefined;
}

function within(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' ? Math.min(most, Math.max(least, value)) : undefined;
}
