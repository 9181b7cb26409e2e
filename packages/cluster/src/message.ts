import { BusFailure } from './failures.ts';
import type { BusFailureReason } from './cluster.ts';

/**
 * The one format of all that instances send each other and keep of streams: a head of JSON, a line feed, the body. JSON has no line
 * feed of its own, so the first one ends the head. The scripts write such messages too, by `cjson`, whose numbers have 14 digits:
 * an epoch, which has more, is text.
 */
export type Message = { [Kind in keyof Heads]: { kind: Kind } & Heads[Kind] & { body: Buffer } }[keyof Heads];

/** What the head says beside the kind, by kind. */
interface Heads {
  /** Sent by an instance to itself. */
  heartbeat: { count: number };
  /**
   * Calls for one instance, which the ROUTE script joins: the body has their messages, one after the other. Only the script
   * knows the epochs of the claims by which it found the owner.
   */
  calls: { calls: readonly { epoch: string; bytes: number }[] };
  call: CallHead;
  /** The asker no longer waits. */
  cancel: CallAddress;
  credit: Credit;
  /** Asks whether the conn lives that Redis names as the client's owner. */
  probe: CallAddress & { clientId: string; conn: string };
  /** As `probe`, of an owner that shall give the client up to a standby: it has, where the answer is `gone`. */
  yield: CallAddress & { clientId: string; conn: string };
  /** The client is left to its standbys. Written by the RELEASE script. */
  vacant: { clientId: string };
  /** The client's next socket took over from this conn. Written by the CLAIM script, which knows whose claim it replaced. */
  superseded: { clientId: string; conn: string };
  /** So many listen to a channel of the client. Written by the CHECK script of `redis/scripts/stream-looks.ts`. */
  listeners: { clientId: string; channel: string; count: number; forMs: number };

  /** The ends of a call. Whoever had the channel before is told apart by the call's id. */
  reply: { callId: number; head: object };
  /** A reply whose body comes in chunks, as far as the asker allows `owner` to send it. */
  begin: { callId: number } & ReplyBegin;
  /** The asked instance does not own the client or may not act for it. Nothing was sent to the client. */
  not_mine: { callId: number };
  failed: { callId: number; reason: BusFailureReason; sent: boolean; message: string };
  /** The ends of a probe. */
  alive: { callId: number };
  gone: { callId: number };

  /** `offset`: the place of the body in that of the reply. */
  chunk: { callId: number; offset: number };
  broadcast: { topic: string };
  /** Entries that were appended to a stream, whose bodies stand in the body, one after the other. */
  news: { gen: string; entries: readonly { n: number; at: number; bytes: number }[] };
}

/** The asker of a call, by its boot id, and the call's id, which names one of the asker's reply channels. */
export interface CallAddress {
  asker: string;
  callId: number;
}

interface CallHead extends CallAddress {
  clientId: string;
  /** Redis time in ms. No instance may start the call later. */
  expiry: number;
  /** The longest body of a reply that may come in one message. */
  inlineBytes: number;
  /** The body is stored under its key, because it is too large to be published. */
  isStored?: boolean;
  /** What the asker tells beside the body. The cluster does not read it. */
  head: object;
}

/** The asker has room for the bytes of a reply up to `upTo`, counted from the first, on this channel for chunks. */
export interface Credit extends CallAddress {
  channel: number;
  upTo: number;
}

/** What an asker needs to know of a reply before its first chunk. `bytes`: the length of its body. */
export interface ReplyBegin {
  head: object;
  owner: string;
  bytes: number;
}

/** A call as its owner gets it: with the epoch of the claim by which it was routed. */
export type RoutedCall = CallHead & { kind: 'call'; epoch: number; body: Buffer };

/** What the owner of a call, or of a probe, answers. */
export type Answer =
  | { kind: 'reply'; head: object; body: Buffer }
  | ({ kind: 'begin' } & ReplyBegin)
  | { kind: 'failed'; failure: BusFailure }
  | { kind: 'not_mine' | 'alive' | 'gone' };

const lineFeed = 0x0a;
const nothing = Buffer.alloc(0);

export function writeParts(head: object, body: Buffer = nothing): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
}

/** Throws where there is no head. */
export function readParts(message: Buffer): { head: unknown; body: Buffer } {
  const end = message.indexOf(lineFeed);
  if (end < 0) throw new SyntaxError('a message without a head');
  return { head: JSON.parse(message.toString('utf8', 0, end)), body: message.subarray(end + 1) };
}

export function writeMessage<Kind extends keyof Heads>(
  kind: Kind,
  head: Heads[Kind],
  body: Buffer = nothing,
): Buffer {
  return writeParts({ kind, ...head }, body);
}

/** Undefined for what is no message: whoever can publish in Redis shall not end a process. */
export function readMessage(message: Buffer): Message | undefined {
  try {
    const { head, body } = readParts(message);
    if (typeof head !== 'object' || head === null) return undefined;
    return { ...head, body } as Message;
  } catch {
    return undefined;
  }
}

/** The calls of a message of that kind, each with its epoch. */
export function* readCalls({ calls, body }: Extract<Message, { kind: 'calls' }>): Generator<RoutedCall> {
  const messages = [
    ...partsOf(
      body,
      calls.map(({ bytes }) => bytes),
    ),
  ];
  for (const [index, { epoch }] of calls.entries()) {
    const call = readMessage(messages[index]!);
    if (call?.kind === 'call') yield { ...call, epoch: Number(epoch) };
  }
}

/** The parts of a body, by their lengths. */
export function* partsOf(body: Buffer, lengths: Iterable<number>): Generator<Buffer> {
  let at = 0;
  for (const length of lengths) {
    yield body.subarray(at, at + length);
    at += length;
  }
}

export function writeAnswer(callId: number, answer: Answer): Buffer {
  if (answer.kind === 'reply') return writeMessage('reply', { callId, head: answer.head }, answer.body);
  if (answer.kind !== 'failed') return writeParts({ ...answer, callId });
  const { reason, sent, message } = answer.failure;
  return writeMessage('failed', { callId, reason, sent, message });
}

/** Undefined for what is no answer. */
export function readAnswer(bytes: Buffer): { callId: number; answer: Answer } | undefined {
  const message = readMessage(bytes);
  switch (message?.kind) {
    case 'reply':
    case 'begin':
    case 'not_mine':
    case 'alive':
    case 'gone':
      return { callId: message.callId, answer: message };
    case 'failed':
      return {
        callId: message.callId,
        answer: { kind: 'failed', failure: new BusFailure(message.reason, message.sent, message.message) },
      };
    default:
      return undefined;
  }
}
