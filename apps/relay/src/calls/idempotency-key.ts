import { Type } from 'typebox';
import { invalidFields } from '../problem.ts';

/** Says on an answer that it was given before and that nothing was sent. */
export const replayedHeader = 'idempotency-replayed';

const longest = 255;

/** How commands of the API describe the header. */
export const idempotencyHeader = {
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: longest,
      description:
        'A text of yours that is new for each command, such as a UUID: with it a repeat is safe. For an hour the relay carries out one command under it, and answers a repeat with what the first one was answered and the header `idempotency-replayed: true`. Answers of more than 64 KiB, and those that hold secrets, are not kept: the repeat is told `already_done`.',
    }),
  ),
};

export const idempotencyKeyFault = `must have 1 to ${longest} printable ASCII characters`;

export const isIdempotencyKey = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longest && /^[\x20-\x7e]+$/.test(value);

/**
 * The text of the header. It may stand in quotes, as the draft of the IETF has it. Throws where it is
 * not well-formed: 1 to 255 characters that print in ASCII.
 */
export function readIdempotencyKey(header: string | string[]): string {
  const text = Array.isArray(header) ? header.join(', ') : header;
  const key = /^"([^"\\]*)"$/.exec(text)?.[1] ?? text;
  if (isIdempotencyKey(key)) return key;
  throw invalidFields([{ field: 'idempotency-key', message: idempotencyKeyFault }]);
}
