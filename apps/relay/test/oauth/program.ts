import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { assistantPresets } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import { bearer, call } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { hash, randomBytes } from 'node:crypto';

export interface ProgramOptions {
  redirectUri?: string;
  name?: string;
  auth?: string;
  documentUrl?: string;
  fetch?: typeof fetch;
}

/** Keeps what a program of an assistant keeps, and notes where it would have led its person. */
export class TestProgram implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  readonly fetch: typeof fetch;
  information: StoredOAuthClientInformation | undefined;
  kept: StoredOAuthTokens | undefined;
  /** Where the person was led last. */
  ledTo: URL | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  constructor({
    redirectUri,
    name = 'Test assistant',
    auth = 'none',
    documentUrl,
    ...more
  }: ProgramOptions = {}) {
    this.redirectUrl = redirectUri ?? 'https://claude.ai/api/mcp/auth_callback';
    this.fetch = more.fetch ?? fetch;
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [this.redirectUrl],
      token_endpoint_auth_method: auth,
      grant_types: ['authorization_code', 'refresh_token'],
    };
    if (documentUrl) this.clientMetadataUrl = documentUrl;
  }
  state = () => randomBytes(9).toString('hex');
  clientInformation = () => this.information;
  saveClientInformation = (information: StoredOAuthClientInformation) => {
    this.information = information;
  };
  tokens = () => this.kept;
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.kept = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.ledTo = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.#discovered = state;
  };
  discoveryState = () => this.#discovered;
  invalidateCredentials = (what: string) => {
    if (what === 'all' || what === 'tokens') this.kept = undefined;
    if (what === 'all' || what === 'client') this.information = undefined;
  };
}

export function openTransport(url: string, program: TestProgram, at = ''): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${url}/mcp${at}`), {
    authProvider: program,
    fetch: program.fetch,
  });
}

const newClient = () =>
  new Client({ name: 'Test assistant', version: '1.2' }, { versionNegotiation: { mode: 'auto' } });

/** Connects; resolves with `undefined` where a person has to decide first, who was led to `program.ledTo`. */
export async function connect(url: string, program: TestProgram): Promise<Client | undefined> {
  const client = newClient();
  try {
    await client.connect(openTransport(url, program));
    return client;
  } catch (error) {
    if (error instanceof UnauthorizedError) return undefined;
    throw error;
  }
}

/** A browser: what it keeps of one page goes with the next. */
export interface TestBrowser {
  cookies: Map<string, string>;
  /** Opens `/oauth/authorize`; resolves with where it led. */
  open(address: URL | string): Promise<URL>;
  /** Calls as the page of that browser does, with the session of the person. */
  as(account: TestAccount | undefined, method: string, path: string, body?: unknown): Promise<Answer>;
}

export function createBrowser(url: string): TestBrowser {
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    cookies,
    async open(address) {
      const response = await fetch(address, { redirect: 'manual', headers: { cookie: cookie() } });
      await response.body?.cancel();
      for (const text of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (text.split(';')[0] ?? '').split('=');
        cookies.set(name, value);
      }
      return new URL(response.headers.get('location') ?? `/status/${response.status}`, url);
    },
    as: (account, method, path, body) =>
      call(url, method, path, {
        body,
        headers: { cookie: cookie(), ...(account && bearer(account.sessionToken)) },
      }),
  };
}

export const codeOf = ({ searchParams }: URL): string => searchParams.get('code') ?? '';

export interface Terms {
  scopes?: readonly Scope[];
  clientIds?: readonly string[] | null;
  actingUserIds?: Record<string, string>;
}

/** A person who lets the program in: opens what the program leads to, and approves. Resolves with what the program is told. */
export async function approve(
  url: string,
  account: TestAccount,
  ledTo: URL | string,
  { scopes = assistantPresets[1].scopes, clientIds = null, ...more }: Terms = {},
): Promise<URLSearchParams> {
  const browser = createBrowser(url);
  const page = await browser.open(ledTo);
  const { status, body } = await browser.as(account, 'POST', '/oauth/request/approve', {
    code: codeOf(page),
    scopes,
    clientIds: more.actingUserIds ? Object.keys(more.actingUserIds) : clientIds,
    ...more,
  });
  if (status !== 200) throw new Error(`not approved: ${status} ${JSON.stringify(body)}`);
  return new URL(String(body['redirectUrl'])).searchParams;
}

/** Signs a program in, from its first request to a connection. */
export async function signIn(
  url: string,
  account: TestAccount,
  { program = new TestProgram(), terms }: { program?: TestProgram; terms?: Terms } = {},
): Promise<{ program: TestProgram; client: Client }> {
  await connect(url, program);
  if (!program.ledTo) throw new Error('nobody was led anywhere');
  const answer = await approve(url, account, program.ledTo, terms);
  await openTransport(url, program).finishAuth(answer);
  const client = await connect(url, program);
  if (!client) throw new Error('not signed in');
  return { program, client };
}

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: hash('sha256', verifier, 'base64url') };
};

/** The address to which a program leads; what is undefined is left out. */
export function authorizeUrl(url: string, query: Record<string, string | undefined>): URL {
  const address = new URL('/oauth/authorize', url);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, value);
  return address;
}

/** Sends a form, as token requests are. */
export async function postForm(
  url: string,
  path: string,
  fields: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const response = await fetch(url + path, { method: 'POST', body: new URLSearchParams(given), headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {},
  };
}
