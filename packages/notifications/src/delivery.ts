/** What came of one try to deliver a message. */
export interface Delivery {
  delivered: boolean;
  /** The status of an HTTP answer or of a mail server's. Null: there was no answer. */
  status: number | null;
  /** The start of the receiver's answer, or why there was none. */
  answer: string;
  /** The receiver asked not to be tried again before so long. */
  retryAfterMs?: number;
  /** Trying again would end the same. */
  isFinal?: true;
  /** The message as it went out. */
  sent: string;
}

const mostAnswerLength = 1_000;

/** Text of a receiver, for people: bounded, and without characters that are not seen. */
export function readableAnswer(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\P{C}\n\t]/gu, ' ')
    .trim()
    .slice(0, mostAnswerLength);
}

/** Reads `Retry-After`: seconds, or a date. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
