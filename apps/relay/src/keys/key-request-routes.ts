import {
  ApproveKeyRequestBody,
  CreateKeyRequestBody,
  ExchangeAnswer,
  ExchangeBody,
  KeyRequest,
  KeyRequestCreated,
  KeyRequestDecision,
  KeyRequestStatus,
} from '@tabletop-relay/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { readLongCode } from '../credentials/codes.ts';
import type { AccountApp, AccountDeps } from '../accounts/deps.ts';
import { approveKeyRequest, denyKeyRequest, showKeyRequest } from './key-request-decision.ts';
import { exchangeCode, keyRequestLifetimeMs, pollKeyRequest, revokeCollected } from './key-requests.ts';
import type { Collected } from './key-requests.ts';
import { limitOf, limitPerCode } from '../limits/limits.ts';
import { createKeyRequest } from './new-key-request.ts';
import { senderOf } from '../records/sender.ts';

const readCode = (typed: string) => readLongCode(typed) ?? typed;

const params = Type.Object({ code: Type.String() });

/** What integrations call, from any origin and without a session. */
export function keyRequestRoutes(app: AccountApp, deps: AccountDeps): void {
  app.post(
    '/auth/key-request',
    {
      schema: { summary: 'Ask for a key', body: CreateKeyRequestBody, response: { 200: KeyRequestCreated } },
      config: { ...limitOf(deps.limits, 'keyRequestCreate'), anyOrigin: true, problems: ['overloaded'] },
    },
    async (request) => {
      const { code, expiresAt } = await createKeyRequest(deps, request.body, senderOf(request));
      return {
        code,
        approvalUrl: `${deps.publicUrlOf(request)}/approve/${code}`,
        expiresIn: keyRequestLifetimeMs / 1000,
        expiresAt: expiresAt.toISOString(),
      };
    },
  );

  app.get(
    '/auth/key-request/:code/status',
    {
      // A HEAD would collect the key and throw it away.
      exposeHeadRoute: false,
      schema: {
        summary: 'Poll a key request',
        description:
          'One poll per two seconds. The answer that carries the key comes once. A 409 says that the account has no room for the key: nothing is used up, and a later poll collects it.',
        params,
        response: { 200: KeyRequestStatus },
      },
      config: {
        ...limitPerCode(deps.limits, 'keyRequestStatus', readCode),
        anyOrigin: true,
        problems: ['conflict'],
      },
    },
    async (request, reply) => {
      const { status, collected } = await pollKeyRequest(deps, {
        code: request.params.code,
        verifier: readVerifier(request),
        sender: senderOf(request),
      });
      if (!collected) return { status };
      return { status, ...deliver(deps, request, reply, collected) };
    },
  );

  app.post(
    '/auth/key-request/exchange',
    {
      schema: {
        summary: 'Exchange the code of the web flow for the key',
        description: 'Works once, within 60 seconds. A second use revokes the key.',
        body: ExchangeBody,
        response: { 200: ExchangeAnswer },
      },
      config: {
        ...limitOf(deps.limits, 'keyRequestExchange'),
        anyOrigin: true,
        problems: [
          'not_found',
          'forbidden',
          'conflict',
          'code_used',
          'code_expired',
          'rotation_required',
          'account_disabled',
        ],
      },
    },
    async (request, reply) => {
      const collected = await exchangeCode(deps, {
        code: request.body.code,
        verifier: readVerifier(request),
        sender: senderOf(request),
      });
      return deliver(deps, request, reply, collected);
    },
  );
}

/** What the approval page calls. */
export function keyRequestDecisionRoutes(app: AccountApp, deps: AccountDeps): void {
  app.get(
    '/auth/key-request/:code',
    { schema: { summary: 'Show a key request', params, response: { 200: KeyRequest } } },
    async (request) => await showKeyRequest(deps, request.session.accountId, request.params.code),
  );

  app.post(
    '/auth/key-request/:code/approve',
    {
      schema: {
        summary: 'Approve a key request',
        description: 'Can narrow what was asked for, never widen it.',
        params,
        body: ApproveKeyRequestBody,
        response: { 200: KeyRequestDecision },
      },
      config: {
        problems: ['client_not_found', 'conflict', 'code_used', 'code_expired', 'rotation_required'],
      },
    },
    async (request) =>
      await approveKeyRequest(deps, {
        session: request.session,
        code: request.params.code,
        approval: request.body,
        sender: senderOf(request),
      }),
  );

  app.post(
    '/auth/key-request/:code/deny',
    {
      schema: { summary: 'Deny a key request', params, response: { 200: KeyRequestDecision } },
      config: { problems: ['code_used', 'code_expired', 'rotation_required'] },
    },
    async (request) =>
      await denyKeyRequest(deps, {
        session: request.session,
        code: request.params.code,
        sender: senderOf(request),
      }),
  );
}

function readVerifier(request: FastifyRequest): string | undefined {
  const header = request.headers['x-poll-verifier'];
  return typeof header === 'string' ? header : undefined;
}

/** The key's one answer: a reply that does not reach the caller revokes it, for nobody will ever see it. */
function deliver(deps: AccountDeps, request: FastifyRequest, reply: FastifyReply, collected: Collected) {
  const { accountId, keyId, apiKey, scopes, clientIds } = collected;
  const revoke = () => {
    void revokeCollected(deps, { accountId, keyId }, 'its delivery failed').catch((error: unknown) =>
      deps.log.error({ err: error, keyId }, 'an undelivered key was not revoked'),
    );
  };
  // Not the reply's own `close`: one that waits behind another on its connection never tells.
  const { socket } = request.raw;
  if (socket.destroyed) revoke();
  else {
    socket.once('close', revoke);
    reply.raw.once('finish', () => socket.off('close', revoke));
  }
  return { apiKey, scopes, clientIds };
}
