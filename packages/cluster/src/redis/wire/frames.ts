/**
 * A frame on the command channel of an instance. Layout: `length u32, kind u8, ...`, big-endian. A message may hold
 * several frames. The ROUTE script writes a command's length, kind and epoch, because only it knows the epoch. The CLAIM
 * script writes `superseded`, because only it knows whose claim it replaced, and the CHECK script `listeners`.
 */
export type Frame =
  | CommandFrame
  | ProbeFrame
  | { kind: 'cancel'; asker: string; callId: number }
  | CreditFrame
  /** The client's next socket took over from this conn. */
  | { kind: 'superseded'; clientId: string; conn: string }
  /** So many listen to a channel of the client. */
  | { kind: 'listeners'; clientId: string; channel: string; count: number; forMs: number };

export interface CommandFrame {
  kind: 'command';
  epoch: number;
  /** Redis time in ms. No instance may start the command later. */
  expiry: number;
  asker: string;
  callId: number;
  clientId: string;
  /** The longest body of a reply that may come in one message. */
  inlineBytes: number;
  /** Undefined when the command is stored under its key, because it is too large to be published. */
  body: Buffer | undefined;
}

/** The asker of a reply that comes in chunks has room for its bytes up to `upTo`, counted from the first. */
export interface CreditFrame {
  kind: 'credit';
  asker: string;
  callId: number;
  /** The asker's channel for the chunks. */
  channel: number;
  upTo: number;
}

export interface ProbeFrame {
  kind: 'probe';
  asker: string;
  callId: number;
  clientId: string;
  conn: string;
}

export const kinds = {
  heartbeat: 0,
  command: 1,
  cancel: 2,
  probe: 3,
  superseded: 4,
  credit: 5,
  listeners: 6,
};
const headBytes = 5;
const bootBytes = 20;
const epochBytes = 8;

export function heartbeatFrame(count: number): Buffer {
  const frame = startFrame(kinds.heartbeat, 4);
  frame.writeUInt32BE(count, headBytes);
  return frame;
}

/** The count in a heartbeat message. Undefined for any other message. */
export function readHeartbeat(message: Buffer): number | undefined {
  const isHeartbeat = message.length === headBytes + 4 && message[4] === kinds.heartbeat;
  return isHeartbeat ? message.readUInt32BE(headBytes) : undefined;
}

/** The part of a command frame after its epoch. */
export function commandRest(
  expiry: number,
  asker: string,
  callId: number,
  { clientId, inlineBytes, body }: Pick<CommandFrame, 'clientId' | 'inlineBytes' | 'body'>,
): Buffer {
  const clientBytes = Buffer.byteLength(clientId);
  const rest = Buffer.allocUnsafe(8 + bootBytes + 4 + 2 + clientBytes + 5 + (body?.length ?? 0));
  let at = rest.writeDoubleBE(expiry, 0);
  at += rest.write(asker, at, 'latin1');
  at = rest.writeUInt32BE(callId, at);
  at = rest.writeUInt16BE(clientBytes, at);
  at += rest.write(clientId, at, 'utf8');
  at = rest.writeUInt32BE(inlineBytes, at);
  at = rest.writeUInt8(body ? 1 : 0, at);
  body?.copy(rest, at);
  return rest;
}

export function creditFrame({ asker, callId, channel, upTo }: Omit<CreditFrame, 'kind'>): Buffer {
  const frame = startFrame(kinds.credit, bootBytes + 4 + 1 + 4);
  frame.write(asker, headBytes, 'latin1');
  const at = frame.writeUInt32BE(callId, headBytes + bootBytes);
  frame.writeUInt32BE(upTo, frame.writeUInt8(channel, at));
  return frame;
}

export function cancelFrame(asker: string, callId: number): Buffer {
  const frame = startFrame(kinds.cancel, bootBytes + 4);
  frame.write(asker, headBytes, 'latin1');
  frame.writeUInt32BE(callId, headBytes + bootBytes);
  return frame;
}

export function probeFrame(asker: string, callId: number, clientId: string, conn: string): Buffer {
  const clientBytes = Buffer.byteLength(clientId);
  const frame = startFrame(kinds.probe, bootBytes + 4 + 2 + clientBytes + Buffer.byteLength(conn));
  let at = headBytes + frame.write(asker, headBytes, 'latin1');
  at = frame.writeUInt32BE(callId, at);
  at = frame.writeUInt16BE(clientBytes, at);
  at += frame.write(clientId, at, 'utf8');
  frame.write(conn, at, 'utf8');
  return frame;
}

/** Skips frames of unknown kinds, because newer instances may send them. */
export function* readFrames(message: Buffer): Generator<Frame> {
  let start = 0;
  while (start + headBytes <= message.length) {
    const end = start + 4 + message.readUInt32BE(start);
    const frame = readFrame(message, start + headBytes, end, message[start + 4]);
    if (frame) yield frame;
    start = end;
  }
}

function readFrame(message: Buffer, start: number, end: number, kind: number | undefined): Frame | undefined {
  if (kind === kinds.command) {
    const epoch = message.readDoubleBE(start);
    const expiry = message.readDoubleBE(start + epochBytes);
    const { asker, callId, clientId, rest } = readCall(message, start + 2 * epochBytes, end);
    const body = rest[4] === 1 ? rest.subarray(5) : undefined;
    return {
      kind: 'command',
      epoch,
      expiry,
      asker,
      callId,
      clientId,
      inlineBytes: rest.readUInt32BE(0),
      body,
    };
  }
  if (kind === kinds.cancel) {
    const asker = message.toString('latin1', start, start + bootBytes);
    return { kind: 'cancel', asker, callId: message.readUInt32BE(start + bootBytes) };
  }
  if (kind === kinds.credit) {
    const callIdAt = start + bootBytes;
    return {
      kind: 'credit',
      asker: message.toString('latin1', start, callIdAt),
      callId: message.readUInt32BE(callIdAt),
      channel: message.readUInt8(callIdAt + 4),
      upTo: message.readUInt32BE(callIdAt + 5),
    };
  }
  if (kind === kinds.probe) {
    const { asker, callId, clientId, rest } = readCall(message, start, end);
    return { kind: 'probe', asker, callId, clientId, conn: rest.toString() };
  }
  if (kind === kinds.superseded) {
    const connAt = start + 2 + message.readUInt16BE(start);
    const clientId = message.toString('utf8', start + 2, connAt);
    return { kind: 'superseded', clientId, conn: message.toString('utf8', connAt, end) };
  }
  if (kind === kinds.listeners) return readListeners(message, start, end);
  return undefined;
}

function readListeners(message: Buffer, start: number, end: number): Frame {
  const clientAt = start + 14;
  const channelAt = clientAt + message.readUInt16BE(start + 12);
  return {
    kind: 'listeners',
    count: message.readUInt32BE(start),
    forMs: message.readDoubleBE(start + 4),
    clientId: message.toString('utf8', clientAt, channelAt),
    channel: message.toString('utf8', channelAt, end),
  };
}

function readCall(message: Buffer, start: number, end: number) {
  const callIdAt = start + bootBytes;
  const clientAt = callIdAt + 6;
  const restAt = clientAt + message.readUInt16BE(callIdAt + 4);
  return {
    asker: message.toString('latin1', start, callIdAt),
    callId: message.readUInt32BE(callIdAt),
    clientId: message.toString('utf8', clientAt, restAt),
    rest: message.subarray(restAt, end),
  };
}

function startFrame(kind: number, payloadBytes: number): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + payloadBytes);
  frame.writeUInt32BE(1 + payloadBytes, 0);
  frame[4] = kind;
  return frame;
}
