import type { AllEndpoints } from '@tabletop-relay/contract';
import { PairingError, RelayError, messageOf } from '../errors.ts';
import { parseRelayUrl } from '../connection/relay-url.ts';
import type { World } from '../world.ts';

/** The result of pairing. */
export interface Pairing {
  token: string;
  clientId: string;
  relayUrl: string;
}

/** What a browser tells when it pairs, however it does. */
export interface PairingBrowser {
  relayUrl: string;
  world: World;
  existingClientId: string | undefined;
  allowInsecure: boolean;
  fetch: typeof fetch;
}

// A bundle of the module has no room for the table of all addresses. The compiler compares these with the endpoints.
const pairPath: AllEndpoints['pair']['path'] = '/auth/pair';
const unpairPath: AllEndpoints['selfUnpair']['path'] = '/api/self-unpair';

const timeoutMs = 15_000;

/** Exchanges a pairing code for a connection token; every failure is a `PairingError`. */
export async function requestPairing(request: PairingBrowser & { code: string }): Promise<Pairing> {
  const { world, existingClientId, allowInsecure } = request;
  const address = addressOf(request.relayUrl, allowInsecure);
  const body = { ...world, code: request.code.trim(), existingClientId };
  const { response, answer } = await ask(request.fetch, address.http + pairPath, body);
  if (!response.ok) throw refusal(response, answer);
  const { token, clientId, relayUrl } = answer;
  if (typeof token !== 'string' || typeof clientId !== 'string') {
    throw new PairingError('bad_answer', 'What answered is not a relay', { status: response.status });
  }
  return { token, clientId, relayUrl: usable(relayUrl, address.socket, allowInsecure) };
}

/** Tells the relay to delete a token; true once it has confirmed. */
export async function requestUnpairing(request: {
  relayUrl: string;
  token: string;
  allowInsecure: boolean;
  fetch: typeof fetch;
}): Promise<boolean> {
  try {
    const address = parseRelayUrl(request.relayUrl, request.allowInsecure);
    const { response } = await ask(request.fetch, address.http + unpairPath, {
      token: request.token,
    });
    return response.ok;
  } catch {
    return false;
  }
}

export function addressOf(relayUrl: string, allowInsecure: boolean) {
  try {
    return parseRelayUrl(relayUrl, allowInsecure);
  } catch (error) {
    const code = error instanceof RelayError ? error.code : 'invalid_url';
    throw new PairingError(code, messageOf(error), { cause: error });
  }
}

/** Sends `body`, or reads where there is none. Rejects with `unreachable` where nothing answers. */
export async function ask(fetcher: typeof fetch, url: string, body?: object) {
  try {
    const response = await fetcher(url, {
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { response, answer: asObject(await response.text()) };
  } catch (error) {
    throw new PairingError('unreachable', `${new URL(url).host} cannot be reached`, { cause: error });
  }
}

export function refusal(response: Response, problem: Record<string, unknown>): PairingError {
  const { code, detail } = problem;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new PairingError(
    typeof code === 'string' ? code : 'bad_answer',
    typeof detail === 'string' ? detail : `The relay answered ${response.status}`,
    { status: response.status, retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined },
  );
}

/** The address that the relay announces, or the one that was asked, where we would not connect to that. */
function usable(announced: unknown, asked: string, allowInsecure: boolean): string {
  try {
    return parseRelayUrl(String(announced), allowInsecure).socket;
  } catch {
    return asked;
  }
}

function asObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
