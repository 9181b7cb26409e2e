import type { KeptBody } from '../call-row.ts';

export interface BodyBoundsOptions {
  maxBytesWaiting: number;
  maxBytesPerHour: number;
  now?: () => number;
}

/** Bounds the requests and answers that are kept: those in memory, and those of an account in an hour. */
export interface BodyBounds {
  /** False where there is no room for it; else it counts until `release`. */
  hold(accountId: string, body: KeptBody): boolean;
  release(body: KeptBody): void;
}

const hourMs = 3_600_000;

const bytesOf = ({ request, answer }: KeptBody): number =>
  Buffer.byteLength(request) + Buffer.byteLength(answer);

export function createBodyBounds({
  maxBytesWaiting,
  maxBytesPerHour,
  now = Date.now,
}: BodyBoundsOptions): BodyBounds {
  let waiting = 0;
  let hour = 0;
  let ofAccounts = new Map<string, number>();
  return {
    hold(accountId, body) {
      const current = Math.floor(now() / hourMs);
      if (current !== hour) {
        hour = current;
        ofAccounts = new Map();
      }
      const bytes = bytesOf(body);
      const ofAccount = (ofAccounts.get(accountId) ?? 0) + bytes;
      if (waiting + bytes > maxBytesWaiting || ofAccount > maxBytesPerHour) return false;
      waiting += bytes;
      ofAccounts.set(accountId, ofAccount);
      return true;
    },
    release(body) {
      waiting -= bytesOf(body);
    },
  };
}
