import { signInScopes } from '@tabletop-relay/contract';
import { bearer, call } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { authorizeUrl, codeOf, createBrowser, pkce, postForm } from './program.ts';

/** The steps of a sign-in one by one, so that each can be taken wrongly. */

export const callback = 'https://claude.ai/api/mcp/auth_callback';

/** All that a sign-in can give, in all worlds. */
export const wide = { scopes: [...signInScopes], clientIds: null };

/** What differs in a query or a form; undefined: left out. */
export type Change = Record<string, string | undefined>;

export interface Client extends Record<string, unknown> {
  client_id: string;
  client_secret?: string;
}

export async function registerClient(url: string, more: object = {}): Promise<Client> {
  const { body } = await call(url, 'POST', '/oauth/register', {
    body: { redirect_uris: [callback], client_name: 'Claude', token_endpoint_auth_method: 'none', ...more },
  });
  return body as Client;
}

export interface Asked {
  client: Client;
  verifier: string;
  /** To which the program leads its person. */
  address: URL;
}

export async function prepareRequest(url: string, change: Change = {}, client?: Client): Promise<Asked> {
  const own = client ?? (await registerClient(url));
  const { verifier, challenge } = pkce();
  const address = authorizeUrl(url, {
    response_type: 'code',
    client_id: own.client_id,
    redirect_uri: callback,
    state: 'theirs',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...change,
  });
  return { client: own, verifier, address };
}

export interface Approved extends Asked {
  /** The page on which it was decided. */
  page: URL;
  code: string;
}

/** A program with an approved code. */
export async function approvedCode(
  { url, account }: { url: string; account: TestAccount },
  change?: Change,
  client?: Client,
): Promise<Approved> {
  const asked = await prepareRequest(url, change, client);
  const browser = createBrowser(url);
  const page = await browser.open(asked.address);
  const { body } = await browser.as(account, 'POST', '/oauth/request/approve', {
    code: codeOf(page),
    ...wide,
  });
  const answer = new URL(String(body['redirectUrl'])).searchParams;
  return { ...asked, page, code: answer.get('code') ?? '' };
}

export const exchangeCode = (
  url: string,
  { client, verifier, code }: Approved,
  change: Change = {},
): Promise<Answer> =>
  postForm(url, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_id: client.client_id,
    redirect_uri: callback,
    ...change,
  });

/** One message, by no library. */
export async function mcp(
  at: string,
  token: string,
  message: object,
): Promise<Pick<Answer, 'status' | 'body'>> {
  const response = await fetch(`${at}/mcp`, {
    method: 'POST',
    headers: {
      ...bearer(token),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
  const text = await response.text();
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status: response.status, body: JSON.parse(json || '{}') as Answer['body'] };
}
