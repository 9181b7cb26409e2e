import { OutboundError, getGuarded } from '@tabletop-relay/outbound';
import type { AddressGuard } from '@tabletop-relay/outbound';
import { createGate } from '@tabletop-relay/kit';
import type { Quotas } from '@tabletop-relay/limits';
import { LRUCache } from 'lru-cache';
import type { OneByOne } from '../../accounts/one-by-one.ts';
import type { OAuthClient } from './clients.ts';
import { nameOf } from './clients.ts';
import { mayLeadTo } from './redirects.ts';

/** Why a client's document cannot be used. */
export type DocumentFault = 'document_unreachable' | 'document_wrong' | 'busy';

/** Clients whose id is the address of a document that they publish of themselves. */
export interface ClientDocuments {
  /** Reads the document in the name of an account, or what was read of it within the hour. */
  read(clientId: string, accountId: string): Promise<OAuthClient | DocumentFault>;
}

const maxBytes = 16_384;
const timeoutMs = 5_000;
const keptMs = 3_600_000;
/** What was wrong may be mended soon; without any time each request would fetch it again. */
const faultKeptMs = 30_000;
/** So many documents are fetched for an account within an hour. */
const fetchesPerHour = 60;

export interface ClientDocumentsDeps {
  guard: AddressGuard;
  quotas: Pick<Quotas, 'hit'>;
  oneByOne: OneByOne;
}

/** Whether an id is the address of a document: https with a path, and nothing that could name it in two ways. */
export function isDocumentId(clientId: string): boolean {
  const url = URL.parse(clientId);
  return (
    url?.protocol === 'https:' &&
    url.href === clientId &&
    url.pathname.length > 1 &&
    !url.username &&
    !url.password &&
    !clientId.includes('#')
  );
}

/** Programs name what the relay fetches: for who is signed in alone, one after the other for each, and a few at a time. */
export function createClientDocuments({ guard, quotas, oneByOne }: ClientDocumentsDeps): ClientDocuments {
  const known = new LRUCache<string, { found: OAuthClient | DocumentFault }>({ max: 500, ttl: keptMs });
  const gate = createGate({ width: 4, mostWaiting: 16, patienceMs: timeoutMs });
  const fetches = new Map<string, Promise<OAuthClient | DocumentFault>>();
  const never = new AbortController().signal;

  async function fetchOne(clientId: string): Promise<OAuthClient | DocumentFault> {
    try {
      const headers = { accept: 'application/json' };
      const answer = await getGuarded({ guard, url: clientId, headers, timeoutMs, maxBytes: maxBytes + 1 });
      if (answer.status !== 200) return 'document_unreachable';
      if (
        Buffer.byteLength(answer.text) > maxBytes ||
        !/^application\/(?:[\w.-]+\+)?json\b/i.test(answer.type)
      )
        return 'document_wrong';
      return readDocument(clientId, answer.text) ?? 'document_wrong';
    } catch (error) {
      if (error instanceof OutboundError) return 'document_unreachable';
      throw error;
    }
  }

  async function fetchAtGate(clientId: string): Promise<OAuthClient | DocumentFault> {
    const found = await gate.pass(() => fetchOne(clientId), never);
    if (found === 'full' || found === 'gone') return 'busy';
    known.set(clientId, { found }, { ttl: typeof found === 'string' ? faultKeptMs : keptMs });
    return found;
  }

  async function fetchShared(clientId: string): Promise<OAuthClient | DocumentFault> {
    const running = fetches.get(clientId);
    if (running) return await running;
    const fetching = fetchAtGate(clientId).finally(() => fetches.delete(clientId));
    fetches.set(clientId, fetching);
    return await fetching;
  }

  return {
    async read(clientId, accountId) {
      const kept = known.get(clientId);
      if (kept) return kept.found;
      const { count } = await quotas.hit(`oauthDocument ${accountId}`, 3_600_000);
      if (count > fetchesPerHour) return 'busy';
      // A fetch is shared, and the wait before it is not: who asks for many slow documents keeps nobody else waiting.
      return await oneByOne(
        `client documents of ${accountId}`,
        async () => known.get(clientId)?.found ?? (await fetchShared(clientId)),
      );
    },
  };
}

/** Undefined where it is not the document of this client, or asks for more than PKCE: a secret could stand in no such document. */
function readDocument(clientId: string, text: string): OAuthClient | undefined {
  const document = parse(text);
  if (document?.['client_id'] !== clientId) return undefined;
  const { redirect_uris: given, client_name: name, token_endpoint_auth_method: auth = 'none' } = document;
  if (auth !== 'none' || !Array.isArray(given)) return undefined;
  const redirectUris = given
    .slice(0, 50)
    .filter((one): one is string => typeof one === 'string' && mayLeadTo(one));
  const [first] = redirectUris;
  if (first === undefined) return undefined;
  return {
    name: nameOf(typeof name === 'string' ? name : undefined, first),
    redirectUris,
    auth: 'none',
    secretHash: null,
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
