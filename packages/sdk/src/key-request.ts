import type { EndpointTypes, Scope } from '@tabletop-relay/contract/types';
import { createAccountClient } from './account-client.ts';
import { RelayError } from './requests/relay-error.ts';
import { wait } from './requests/retries.ts';

interface Reach {
  /** The relay's address. */
  url: string;
  fetch?: typeof globalThis.fetch;
  signal?: AbortSignal;
}

export interface KeyRequestOptions extends Reach {
  /** The name of your integration, as the approving person reads it. */
  appName: string;
  scopes: readonly Scope[];
  appDescription?: string;
  appUrl?: string;
  /** Calls per calendar month. */
  suggestedMonthlyLimit?: number;
  /** The worlds that the key shall reach, as a suggestion to who approves. */
  clientIds?: string[];
  /** By world the user as whom the key shall act, as a suggestion to who approves. */
  actingUserIds?: Record<string, string>;
  /** In place of `actingUserIds` beside one world in `clientIds`. */
  actingUserId?: string;
  /** When the key shall end (ISO 8601), as a suggestion to who approves. */
  suggestedExpiry?: string;
  /** Web flow: where the approving person is sent, with the exchange code. https, or http on loopback. */
  callbackUrl?: string;
}

export interface PendingKeyRequest {
  /** Fetches the key once it is approved: keep it secret. */
  code: string;
  /** The page on which a person approves the request. */
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
  /** By world the user as whom the key acts there; null: with the game master's rights. */
  actingUserIds: Record<string, string> | null;
  /** That user, where the key reaches one world. */
  actingUserId: string | null;
}

const attemptMs = 15_000;
/** A request lives for 10 minutes; above that the relay must have answered. */
const patienceMs = 11 * 60_000;

/** Asks for a key that a person must approve. Send that person to `approvalUrl`. */
export async function requestKey({ signal, ...options }: KeyRequestOptions): Promise<PendingKeyRequest> {
  const { url: _url, fetch: _fetch, scopes, ...asked } = options;
  const proof = await createProof();
  const created = await clientOf(options).createKeyRequest(
    { ...asked, scopes: [...scopes], pollChallenge: proof?.challenge },
    { signal },
  );
  return { ...created, ...(proof ? { verifier: proof.verifier } : {}) };
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
  const { code, verifier, signal } = options;
  return readGrant(await clientOf(options).exchangeKeyRequest({ code }, { ...proofOf(verifier), signal }));
}

async function pollOnce(options: PollOptions) {
  const { code, verifier, signal } = options;
  try {
    const answer = await clientOf(options).pollKeyRequest({ code }, { ...proofOf(verifier), signal });
    return { waitMs: 0, answer };
  } catch (error) {
    if (!(error instanceof RelayError) || !error.retryable) throw error;
    return { waitMs: error.retryAfterMs ?? 0 };
  }
}

const clientOf = ({ url, fetch }: Reach) =>
  createAccountClient({ url, timeoutMs: attemptMs, ...(fetch ? { fetch } : {}) });

/** The header that shows who asked for the key. */
const proofOf = (verifier: string | undefined) =>
  verifier === undefined ? {} : { headers: { 'x-poll-verifier': verifier } };

function grantOf({ status, apiKey, ...granted }: EndpointTypes['pollKeyRequest']['answer']): KeyGrant {
  if (status !== 'approved') throw ended(status as 'denied' | 'expired' | 'exchanged');
  if (apiKey !== undefined) return readGrant({ apiKey, ...granted });
  throw new RelayError({
    code: 'forbidden',
    detail: 'The request is approved, but the key is not for this poll: wrong verifier, or a web flow.',
  });
}

/** A relay of an older version binds no key to a user. */
function readGrant(answer: Partial<KeyGrant> & { apiKey: string }): KeyGrant {
  const { apiKey, scopes = [], clientIds = [], actingUserIds = null, actingUserId = null } = answer;
  return { apiKey, scopes, clientIds, actingUserIds, actingUserId };
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
