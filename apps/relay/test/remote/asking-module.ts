import type { Scope } from '@tabletop-relay/contract';

import { waitFor } from '@tabletop-relay/testing';
import type { FakeModule, WireFrame } from '@tabletop-relay/testing';
import { connectModule } from '@tabletop-relay/testing/scenes';
import type { Answer, Pairing, TestAccount } from '@tabletop-relay/testing/scenes';

export interface Permissions {
  allowedTargetClients?: string[];
  remoteScopes?: Scope[];
}

/** A module that asks other worlds. */
export interface AskingModule {
  module: FakeModule;
  pairing: Pairing;
  tokenId: string;
  /** Sends a request; resolves with its answer. */
  ask(request: {
    targetClientId: string;
    action?: unknown;
    payload?: unknown;
    traceparent?: string;
    idempotencyKey?: unknown;
  }): Promise<WireFrame>;
  /** Changes what the token may do elsewhere. */
  allow(permissions: Permissions): Promise<Answer>;
}

let asked = 0;

/** Pairs a world, with permissions on others, and connects it to the instance at `url`. */
export async function connectAsking(
  account: TestAccount,
  url: string,
  permissions: Permissions = {},
): Promise<AskingModule> {
  const pairing = await account.pair();
  const { body } = await account.as('GET', '/auth/connection-tokens?limit=100');
  const tokens = body['items'] as { id: string; clientId: string }[];
  const tokenId = tokens.find(({ clientId }) => clientId === pairing.clientId)?.id ?? '';
  const allow = (changes: Permissions) => account.as('PATCH', `/auth/connection-tokens/${tokenId}`, changes);
  const { status } = await allow(permissions);
  if (status !== 200) throw new Error(`the permissions were answered ${status}`);
  const module = await connectModule(url, pairing);
  return {
    module,
    pairing,
    tokenId,
    allow,
    async ask(request) {
      const requestId = `remote_${++asked}`;
      module.send({ type: 'remote-request', requestId, action: 'players', payload: {}, ...request });
      return await answerTo(module, requestId);
    },
  };
}

/** The answer to a request, in whatever order answers come. */
export async function answerTo(module: FakeModule, requestId: string): Promise<WireFrame> {
  const find = () =>
    module.received.find((frame) => frame.type === 'remote-response' && frame['requestId'] === requestId);
  await waitFor(() => find() !== undefined || module.socket.readyState === module.socket.CLOSED);
  const answer = find();
  if (!answer) throw new Error(`the socket closed without an answer to ${requestId}`);
  return answer;
}

export interface LogEntry {
  sourceClientId: string;
  sourceTokenId: string;
  sourceTokenName: string;
  targetClientId: string;
  action: string;
  outcome: string;
  error: string;
  durationMs: number;
  attempts: number;
}

/** The account's log of requests between worlds, newest first. */
export async function readRemoteLog(account: TestAccount, query = 'limit=100'): Promise<LogEntry[]> {
  const { body } = await account.as('GET', `/auth/remote-request-logs?${query}`);
  return body['items'] as LogEntry[];
}
