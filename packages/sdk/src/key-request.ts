import type { KeyRequestStatus, Scope } from '@tabletop-relay/contract';
import { RelayError } from './relay-error.ts';
import { wait } from './retries.ts';
import { endpoint, sendRequest } from './send-request.ts';

interface Reach {
  /** The relay's address. */
  url: string;
  fetch?: typeof globalThis.fetch;
  signal?: AbortSignal;
}

export interface KeyRequestOptions extends Reach {
  /** What the approving person reads as the name of your integration. */
  appName: string;
  scopes: readonly Scope[];
  appDescription?: string;
  appUrl?: string;
  /** Calls per calendar month. */
  suggestedMonthlyLimit?: number;
  /** Web flow: where the approving person is sent, with the exchange code. https, or http on loopback. */
  callbackUrl?: string;
}

export interface PendingKeyRequest {
  /** Fetches the key once it is approved: keep it secret. */
  code: string;
  /** Where a person approves the request. */
  approvalUrl: string;
  /** Seconds. */
  expiresIn: number;
  expiresAt: string;
  /**
   * Proves that who collects the key is who asked for it: keep it secret, and give it to `pollKeyRequest` or
   * `exchangeKey`. Absent where the platform has no Web Crypto (pages on plain http).
   */
  verifier?: string;
}

export interface PollOptions extends Reach {
  code: string;
  verifier?: string;
  /** 3 s by default; the relay takes one poll each 2 s. */
  intervalMs?: number;
}

/** A key, told this once, with what the approving person gave it. */
export interface KeyGrant {
  apiKey: string;
  scopes: string[];
  /** Worlds that the key is bound to; empty: not bound to any. */
  clientIds: string[];
}

const attemptMs = 15_000;
/** A request lives for 10 minutes; above that the relay must have answered. */
const patienceMs = 11 * 60_000;

/** Asks for a key that a person must approve. Send that person to `approvalUrl`. */
export async function requestKey({ url, fetch = globalThis.fetch, signal, ...body }: KeyRequestOptions) {
  const proof = await createProof();
  const created = await sendRequest(fetch, {
    method: 'POST',
    url: endpoint(url, '/auth/key-request'),
    body: { ...body, ...(proof ? { pollChallenge: proof.challenge } : {}) },
    timeoutMs: attemptMs,
    signal,
  });
  return { ...created, ...(proof ? { verifier: proof.verifier } : {}) } as PendingKeyRequest;
}

/**
 * Device flow: waits until the request is approved and collects the key, which is told once. Rejects with a
 * `RelayError` when it is denied, expires or was collected before; goes on through temporary trouble.
 */
export async function pollKeyRequest(options: PollOptions): Promise<KeyGrant> {
  const { intervalMs = 3_000, signal } = options;
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const { waitMs, answer } = await pollOnce(options);
    if (answer && answer.status !== 'pending') return grantOf(answer);
    if (Date.now() > giveUpAt) throw ended('expired');
    await wait(Math.max(intervalMs, waitMs), signal);
  }
}

/** Web flow: exchanges the code that came to `callbackUrl` for the key. It works once. */
export async function exchangeKey(options: Reach & { code: string; verifier?: string }): Promise<KeyGrant> {
  const { url, fetch = globalThis.fetch, code, verifier, signal } = options;
  return (await sendRequest(fetch, {
    method: 'POST',
    url: endpoint(url, '/auth/key-request/exchange'),
    body: { code },
    ...proofOf(verifier),
    timeoutMs: attemptMs,
    signal,
  })) as KeyGrant;
}

async function pollOnce({ url, fetch = globalThis.fetch, code, verifier, signal }: PollOptions) {
  try {
    const answer = await sendRequest(fetch, {
      method: 'GET',
      url: endpoint(url, `/auth/key-request/${encodeURIComponent(code)}/status`),
      ...proofOf(verifier),
      timeoutMs: attemptMs,
      signal,
    });
    return { waitMs: 0, answer: answer as KeyRequestStatus };
  } catch (error) {
    if (!(error instanceof RelayError) || !error.retryable) throw error;
    return { waitMs: error.retryAfterMs ?? 0 };
  }
}

/** The header that shows who asked for the key. */
const proofOf = (verifier: string | undefined) =>
  verifier === undefined ? {} : { headers: { 'x-poll-verifier': verifier } };

function grantOf({ status, apiKey, scopes = [], clientIds = [] }: KeyRequestStatus): KeyGrant {
  if (status !== 'approved') throw ended(status as 'denied' | 'expired' | 'exchanged');
  if (apiKey !== undefined) return { apiKey, scopes, clientIds };
  throw new RelayError({
    code: 'forbidden',
    detail: 'The request is approved, but the key is not for this poll: wrong verifier, or a web flow.',
  });
}

const endings = {
  denied: 'The request was denied.',
  expired: 'Nobody approved the request in time.',
  exchanged: 'The key was collected before: it is told once.',
};

function ended(status: keyof typeof endings): RelayError {
  return new RelayError({ code: `key_request_${status}`, detail: endings[status] });
}

async function createProof(): Promise<{ verifier: string; challenge: string } | undefined> {
  if (globalThis.crypto?.subtle === undefined) return undefined;
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: base64url(new Uint8Array(digest)) };
}

function base64url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
