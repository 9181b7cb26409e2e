import type { BusFailureReason, Reply } from '../../cluster.ts';
import { BusFailure } from '../../failures.ts';

/** What a message on a reply channel says. Layout: `call id u32, kind u8, head length u32, head, body`, big-endian. */
export type Answer =
  | ({ kind: 'reply' } & Reply)
  /** A reply whose body comes in chunks, each when the asker asks `owner` for it. */
  | ({ kind: 'begin' } & ReplyBegin)
  /** The asked instance does not own the client or may not act for it. Nothing was sent to the client. */
  | { kind: 'not_mine' }
  | { kind: 'failed'; failure: BusFailure }
  /** The results of a probe. */
  | { kind: 'alive' }
  | { kind: 'gone' };

/** What an asker needs to know of a reply before its first chunk. `bytes`: the length of its body. */
export interface ReplyBegin {
  head: string;
  owner: string;
  bytes: number;
}

const kinds = ['reply', 'begin', 'not_mine', 'failed', 'alive', 'gone'] as const;
const kindAt = 4;
const headAt = 9;
const nothing = Buffer.alloc(0);

/** The call's id tells a late reply from that of the call that the channel was lent to since. */
export function writeAnswer(callId: number, answer: Answer): Buffer {
  const head = headOf(answer);
  const body = answer.kind === 'reply' ? answer.body : nothing;
  const headBytes = Buffer.byteLength(head);
  const message = Buffer.allocUnsafe(headAt + headBytes + body.length);
  message.writeUInt32BE(callId, 0);
  message[kindAt] = kinds.indexOf(answer.kind);
  message.writeUInt32BE(headBytes, kindAt + 1);
  message.write(head, headAt, 'utf8');
  body.copy(message, headAt + headBytes);
  return message;
}

/** Undefined for a kind that this version does not know. */
export function readAnswer(message: Buffer): { callId: number; answer: Answer } | undefined {
  const kind = kinds[message[kindAt] ?? kinds.length];
  return kind && { callId: message.readUInt32BE(0), answer: readKind(kind, message) };
}

function readKind(kind: (typeof kinds)[number], message: Buffer): Answer {
  const bodyAt = headAt + message.readUInt32BE(kindAt + 1);
  const head = message.toString('utf8', headAt, bodyAt);
  if (kind === 'reply') return { kind, head, body: message.subarray(bodyAt) };
  if (kind === 'begin') return { kind, ...readBegin(head) };
  if (kind === 'failed') return { kind, failure: readFailure(head) };
  return { kind };
}

function headOf(answer: Answer): string {
  if (answer.kind === 'reply') return answer.head;
  if (answer.kind === 'begin') return `${answer.owner} ${answer.bytes} ${answer.head}`;
  if (answer.kind !== 'failed') return '';
  const { reason, sent, message } = answer.failure;
  return `${reason} ${sent ? 1 : 0} ${message}`;
}

function readBegin(text: string): ReplyBegin {
  const [owner = '', bytes = ''] = text.split(' ', 2);
  return { owner, bytes: Number(bytes), head: text.slice(owner.length + bytes.length + 2) };
}

function readFailure(head: string): BusFailure {
  const [reason, sent, ...words] = head.split(' ');
  return new BusFailure(reason as BusFailureReason, sent === '1', words.join(' '));
}
