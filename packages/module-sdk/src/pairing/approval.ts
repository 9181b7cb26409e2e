import type { AllEndpoints } from '@tabletop-relay/contract';
import { parseRelayUrl } from '../connection/relay-url.ts';
import { PairingError } from '../errors.ts';
import { addressOf, ask, refusal, requestPairing } from './pairing.ts';
import type { Pairing, PairingBrowser } from './pairing.ts';

const requestPath: AllEndpoints['createPairRequest']['path'] = '/auth/pair-request';

const pollEveryMs = 3_000;
/** A page that comes into view asks at once, but not more often than this. */
const pollAtMostEveryMs = 1_000;

/**
 * Asks to be paired, and waits until a person has decided on the page that `onUrl` is given. Every failure is a `PairingError`: `denied`,
 * `code_expired` and `aborted` beside those of `requestPairing`.
 */
export async function requestApproval(
  request: PairingBrowser & { onUrl: (url: string) => void; signal?: AbortSignal | undefined },
): Promise<Pairing> {
  const { world, existingClientId, allowInsecure, fetch: fetcher, onUrl, signal } = request;
  const address = addressOf(request.relayUrl, allowInsecure);
  const { response, answer } = await ask(fetcher, address.http + requestPath, { ...world, existingClientId });
  if (!response.ok) throw refusal(response, answer);
  const { code, pairUrl, expiresIn } = answer;
  if (typeof code !== 'string' || !isPage(pairUrl, allowInsecure)) {
    throw new PairingError('bad_answer', 'What answered is not a relay', { status: response.status });
  }
  const until = Date.now() + Math.min(Number(expiresIn) || 600, 3_600) * 1_000;
  throwIfAborted(signal);
  onUrl(pairUrl);
  const statusUrl = `${address.http}${requestPath}/${encodeURIComponent(code)}/status`;
  const pairingCode = await pollUntilDecided({ statusUrl, until, fetcher, signal });
  return requestPairing({ ...request, code: pairingCode });
}

/** Resolves with the code that the approval gives. A relay that is away for a while is asked again. */
async function pollUntilDecided(poll: {
  statusUrl: string;
  until: number;
  fetcher: typeof fetch;
  signal: AbortSignal | undefined;
}): Promise<string> {
  const { statusUrl, until, fetcher, signal } = poll;
  let waitMs = pollEveryMs;
  while (Date.now() < until) {
    await nextLook(waitMs, signal);
    waitMs = pollEveryMs;
    const { response, answer } = await ask(fetcher, statusUrl).catch(() => noAnswer);
    if (!response) continue;
    const { status, pairingCode } = answer;
    if (response.ok && status === 'approved' && typeof pairingCode === 'string') return pairingCode;
    if (response.ok && status === 'denied') throw new PairingError('denied', 'The request was denied');
    if (response.ok && status === 'exchanged')
      throw new PairingError('code_used', 'Another page took the approval');
    if (response.ok && status === 'expired') break;
    if (response.status >= 400 && response.status < 500) {
      const refused = refusal(response, answer);
      if (response.status !== 429) throw refused;
      waitMs = refused.retryAfterMs ?? pollEveryMs;
    }
  }
  throw new PairingError('code_expired', 'Nobody decided in time');
}

const noAnswer = { response: undefined, answer: {} as Record<string, unknown> };

/**
 * Waits. A page that comes back into view looks sooner: while a person is on the relay's page this one is hidden, and browsers slow down the timers of
 * hidden pages.
 */
async function nextLook(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  throwIfAborted(signal);
  const startedAt = Date.now();
  await new Promise<void>((resolve) => {
    let timer = setTimeout(done, waitMs);
    function sooner() {
      clearTimeout(timer);
      timer = setTimeout(done, Math.max(0, Math.min(waitMs, pollAtMostEveryMs) - (Date.now() - startedAt)));
    }
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      for (const event of views) globalThis.removeEventListener?.(event, sooner);
      resolve();
    }
    signal?.addEventListener('abort', done);
    for (const event of views) globalThis.addEventListener?.(event, sooner);
  });
  throwIfAborted(signal);
}

/** The events of a window that comes into view; Node has none of them. */
const views = ['visibilitychange', 'focus'] as const;

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new PairingError('aborted', 'The pairing was given up');
}

/** Whether a browser may be sent there: never to a script, and over plain http to this machine alone. */
function isPage(url: unknown, allowInsecure: boolean): url is string {
  if (typeof url !== 'string' || !/^https?:/i.test(url)) return false;
  try {
    parseRelayUrl(url, allowInsecure);
    return true;
  } catch {
    return false;
  }
}
