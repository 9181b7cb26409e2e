import { addresses, pathOf } from '@tabletop-relay/contract';
import { RelayError } from './relay-error.ts';
import { readObject, sendRequest, urlOf } from './send-request.ts';

/** How long the relay may take to say what it offers. */
const usualTimeoutMs = 10_000;

/** A key for one command that may be repeated, unlike any other: 128 random bits. */
export function ownKey(retries: number): string | undefined {
  if (retries === 0) return undefined;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Asks the relay whether it carries out one command under an idempotency key, until it has said so: an older one would carry out each
 * repeat. Rejects while that cannot be told and the question may be repeated.
 */
export function createIsHonoured(
  fetch: typeof globalThis.fetch,
  { url, timeoutMs = usualTimeoutMs }: { url: string; timeoutMs?: number },
): () => Promise<boolean> {
  const request = { method: 'GET', url: urlOf(url, pathOf(addresses.getStatus)), timeoutMs };
  let isKnown = false;

  return async function isHonoured() {
    if (isKnown) return true;
    try {
      const status = (await sendRequest(fetch, request, readObject)) as { idempotencyKeptMs?: unknown };
      isKnown = typeof status.idempotencyKeptMs === 'number';
    } catch (error) {
      if (!(error instanceof RelayError) || error.retryable) throw error;
    }
    return isKnown;
  };
}
