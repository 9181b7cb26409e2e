import type { BusFailureReason, Reply } from '../../cluster.ts';
import { BusFailure } from '../../failures.ts';

/** A message on the reply channel of one call. Layout: `kind u8, head length u32, head, body`, big-endian. */
export type Answer =
  | ({ kind: 'reply' } & Reply)
  /** The body is stored under a key, because large pub/sub messages can cost a subscriber its connection. */
  | { kind: 'parked'; head: string }
  /** The asked instance does not own the client or may not act for it. Nothing was sent to the client. */
  | { kind: 'not_mine' }
  | { kind: 'failed'; failure: BusFailure }
  /** The results of a probe. */
  | { kind: 'alive' }
  | { kind: 'gone' };

const kinds = ['reply', 'parked', 'not_mine', 'failed', 'alive', 'gone'] as const;
const headAt = 5;
const nothing = Buffer.alloc(0);

export function writeAnswer(answer: Answer): Buffer {
  const head = headOf(answer);
  const body = answer.kind === 'reply' ? answer.body : nothing;
  const headBytes = Buffer.byteLength(head);
  const message = Buffer.allocUnsafe(headAt + headBytes + body.length);
  message[0] = kinds.indexOf(answer.kind);
  message.writeUInt32BE(headBytes, 1);
  message.write(head, headAt, 'utf8');
  body.copy(message, headAt + headBytes);
  return message;
}

/** Undefined for a kind that this version does not know. */
export function readAnswer(message: Buffer): Answer | undefined {
  const kind = kinds[message[0] ?? kinds.length];
  if (!kind) return undefined;
  const bodyAt = headAt + message.readUInt32BE(1);
  const head = message.toString('utf8', headAt, bodyAt);
  if (kind === 'reply') return { kind, head, body: message.subarray(bodyAt) };
  if (kind === 'parked') return { kind, head };
  if (kind === 'failed') return { kind, failure: readFailure(head) };
  return { kind };
}

function headOf(answer: Answer): string {
  if (answer.kind === 'reply' || answer.kind === 'parked') return answer.head;
  if (answer.kind !== 'failed') return '';
  const { reason, sent, message } = answer.failure;
  return `${reason} ${sent ? 1 : 0} ${message}`;
}

function readFailure(head: string): BusFailure {
  const [reason, sent, ...words] = head.split(' ');
  return new BusFailure(reason as BusFailureReason, sent === '1', words.join(' '));
}
