import type { InputOf, keyRequestEndpoints } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import { readPlainText } from '@tabletop-relay/kit';
import type { Insertable } from 'kysely';
import { createKeepRequest } from '../../accounts/keep-requests.ts';
import type { KeepRequestDeps } from '../../accounts/keep-requests.ts';
import { hashLongCode, newLongCode } from '../../credentials/codes.ts';
import { invalidField, invalidFields } from '../../problem.ts';
import type { Caller } from '../../endpoint-handler.ts';
import { checkInFuture } from '../bounds.ts';
import type { KeyBounds } from '../bounds.ts';
import { keyRequestLifetimeMs } from './key-requests.ts';
import { changeReach, checkScopesOfUser } from '../../worlds/acting-users.ts';
import type { GivenReach } from '../../worlds/acting-users.ts';

type NewKeyRequest = InputOf<(typeof keyRequestEndpoints)['createKeyRequest']>['body'];

export type KeepKeyRequest = (row: Insertable<Tables['keyRequests']>) => Promise<void>;

export const createKeepKeyRequest = (
  deps: KeepRequestDeps & { bounds: Pick<KeyBounds, 'maxOpenKeyRequests'> },
): KeepKeyRequest =>
  createKeepRequest(deps, {
    table: 'keyRequests',
    maxOpen: deps.bounds.maxOpenKeyRequests,
    full: 'Too many key requests wait for a decision at the moment. Nothing was kept: ask again in a minute.',
  });

/** Stores a request for a key. Anybody may send one, and no key exists before a person approves. */
export async function createKeyRequest(
  deps: { keep: KeepKeyRequest; now(): number },
  input: NewKeyRequest,
  { sender, askedScopes }: Pick<Caller, 'sender' | 'askedScopes'>,
): Promise<{ code: string; expiresAt: Date }> {
  const appName = readPlainText(input.appName, invalidField('appName'));
  // People write paragraphs, so line breaks are allowed. They become spaces.
  const appDescription = readPlainText(
    (input.appDescription ?? '').replaceAll(/\s+/g, ' ').trim(),
    invalidField('appDescription'),
  );
  const appUrl = readAppUrl(input.appUrl ?? '');
  checkCallback(input.callbackUrl);
  const code = newLongCode();
  const now = deps.now();
  const { suggestedExpiry } = input;
  const { clientIds, actingUserIds } = changeReach(
    { clientIds: null, actingUserIds: null },
    suggested(input),
  );
  checkScopesOfUser(actingUserIds, input.scopes);
  if (suggestedExpiry) checkInFuture('suggestedExpiry', suggestedExpiry, now);
  const expiresAt = new Date(now + keyRequestLifetimeMs);
  await deps.keep({
    id: newId(now),
    codeHash: hashLongCode(code),
    appName,
    appDescription,
    appUrl,
    scopes: [...new Set(input.scopes)],
    askedScopes: [...askedScopes],
    suggestedMonthlyLimit: input.suggestedMonthlyLimit ?? null,
    suggestedClientIds: clientIds && [...clientIds],
    suggestedActingUserIds: actingUserIds,
    suggestedExpiresAt: suggestedExpiry ? new Date(suggestedExpiry) : null,
    callbackUrl: input.callbackUrl ?? null,
    pollChallenge: input.pollChallenge ?? null,
    requestedFrom: sender.ipAddress,
    expiresAt,
  });
  return { code, expiresAt };
}

/** An empty list names no world. */
const suggested = ({ clientIds, ...users }: NewKeyRequest): GivenReach =>
  clientIds && clientIds.length > 0 ? { clientIds, ...users } : users;

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Checks the address that the approving person sees and may open. A `javascript:` address could run a script, and a user
 * name could look like a host, so both are refused. A host in another alphabet is stored in ASCII, so that it cannot
 * look like a known name.
 */
function readAppUrl(text: string): string {
  if (text === '') return '';
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw invalidFields([{ field: 'appUrl', message: 'must be an http or https address without user' }]);
  }
  return /^[\x21-\x7e]+$/.test(text) ? text : url.href;
}

function checkCallback(callbackUrl: string | undefined): void {
  if (callbackUrl === undefined) return;
  const url = URL.parse(callbackUrl);
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname));
  if (!isAllowed || url?.username || url?.password || url?.hash) {
    throw invalidFields([
      { field: 'callbackUrl', message: 'must be https, or http on this machine, without user or fragment' },
    ]);
  }
}
