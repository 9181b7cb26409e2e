import type { InputOf, oauthEndpoints } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Quotas } from '@tabletop-relay/limits';
import type { Kysely, Transaction } from 'kysely';
import { hash, timingSafeEqual } from 'node:crypto';
import { withAccountLocked } from '../../accounts/account-lock.ts';
import { hashLongCode, readLongCode } from '../../credentials/codes.ts';
import { createSecret, familyOf, hashSecret, kindOfSecret } from '../../credentials/secret.ts';
import { statusOf } from '../../credentials/request-status.ts';
import type { SeenSecrets } from '../../credentials/seen-secrets.ts';
import type { Caller } from '../../endpoint-handler.ts';
import { limitHeaders } from '../../limits/limit-headers.ts';
import type { UnknownSecretLimit } from '../../limits/unknown-secret-limit.ts';
import { ProblemError } from '../../problem.ts';
import { revokeApiKey } from '../api-keys.ts';
import type { ApiKeyDeps } from '../write-key.ts';
import type { ClientAuth } from './clients.ts';
import { issueAccess, makeGrant, refreshMs } from './grants.ts';
import type { GrantRow, Tokens } from './grants.ts';
import { isOurResource, readIssuer } from './issuer.ts';
import { oauthProblem } from './oauth-problem.ts';

export interface TokenDeps extends ApiKeyDeps {
  quotas: Pick<Quotas, 'hit'>;
  /** Of codes, tokens and clients' secrets that are nobody's. */
  failures: UnknownSecretLimit;
  /** Families of tokens that were exchanged lately. */
  seen: SeenSecrets;
}

type TokenBody = InputOf<(typeof oauthEndpoints)['oauthToken']>['body'];
type RevokeBody = InputOf<(typeof oauthEndpoints)['oauthRevoke']>['body'];
type Asker = Pick<Caller, 'sender' | 'publicUrl'> & { authorization: string | undefined };

/** So often within an hour a grant may be refreshed. Its tokens live for as long. */
const refreshesPerHour = 60;
/** The answer to a refresh may be lost: so long the token before is exchanged once more. */
const graceMs = 120_000;

export async function giveTokens(deps: TokenDeps, body: TokenBody, asker: Asker): Promise<Tokens> {
  await checkFailures(deps, asker, body.refresh_token);
  const issuer = readIssuer(asker.publicUrl);
  if (!isOurResource(issuer, body.resource)) throw oauthProblem('invalid_target');
  const client = readCredentials(body, asker.authorization);
  if (body.grant_type === 'authorization_code') return await exchangeCode(deps, { body, client, asker });
  if (body.grant_type === 'refresh_token') return await refresh(deps, { body, client, asker });
  if (body.grant_type === undefined) throw oauthProblem('invalid_request', 'grant_type is missing.');
  throw oauthProblem('unsupported_grant_type');
}

interface Asked {
  body: TokenBody;
  client: Credentials;
  asker: Asker;
}

/** Exchanges a code for the grant that a person approved. A second use means that it leaked, so the grant ends. */
async function exchangeCode(deps: TokenDeps, { body, client, asker }: Asked): Promise<Tokens> {
  const code = readLongCode(body.code ?? '');
  const request =
    code &&
    (await deps.db
      .selectFrom('oauthRequests')
      .selectAll()
      .where('exchangeCodeHash', '=', hashLongCode(code))
      .executeTakeFirst());
  if (!request) return await fail(deps, asker, 'invalid_grant');
  if (!isClient(client, request)) return await fail(deps, asker, 'invalid_client', headersFor(client));
  if (body.redirect_uri !== undefined && body.redirect_uri !== request.redirectUri)
    return await fail(deps, asker, 'invalid_grant');
  if (!fitsChallenge(body.code_verifier, request.challenge)) return await fail(deps, asker, 'invalid_grant');
  const { accountId } = request;
  if (accountId === null) throw oauthProblem('invalid_grant');
  const tokens = await withAccountLocked(deps, { accountId }, async (trx, announce) => {
    const locked = await lockRequest(trx, request.id);
    if (locked.status === 'exchanged') return undefined;
    if (statusOf(locked, deps.now()) !== 'approved') throw oauthProblem('invalid_grant', 'The code is over.');
    return await makeGrant(trx, deps, {
      request: { ...locked, accountId },
      announce,
      sender: asker.sender,
    });
  });
  if (tokens) return tokens;
  const used = await deps.db
    .selectFrom('oauthRequests')
    .select('keyId')
    .where('id', '=', request.id)
    .executeTakeFirst();
  await endGrant(deps, { accountId, keyId: used?.keyId ?? '' }, 'its code was exchanged twice');
  throw oauthProblem('invalid_grant', 'This code was exchanged before. The sign-in that it gave is revoked.');
}

/** Reads a request and locks it until the transaction ends. */
async function lockRequest(trx: Transaction<Tables>, id: string) {
  const request = await trx
    .selectFrom('oauthRequests')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!request) throw oauthProblem('invalid_grant');
  return request;
}

/** Exchanges a refresh token for a new pair. One that was exchanged long ago means that it leaked, so the grant ends. */
async function refresh(deps: TokenDeps, { body, client, asker }: Asked): Promise<Tokens> {
  const { refresh_token: token = '' } = body;
  const grant = await findGrant(deps.db, token, 'refreshToken');
  if (!grant) return await fail(deps, asker, 'invalid_grant');
  if (!isClient(client, grant)) return await fail(deps, asker, 'invalid_client', headersFor(client));
  const { accountId, keyId } = grant;
  const given = hashSecret(token);
  // Who stole the tokens may use up the limit: one that is used too late ends the sign-in all the same.
  if (isTaken(grant, given, deps.now()) !== 'no') await checkRefreshes(deps, keyId);
  const tokens = await withAccountLocked(deps, { accountId }, async (trx) => {
    const now = deps.now();
    const locked = await trx
      .selectFrom('oauthGrants')
      .innerJoin('apiKeys', 'apiKeys.id', 'keyId')
      .select(['refreshHash', 'refreshEndsAt', 'beforeHash', 'rotatedAt', 'scopes', 'expiresAt'])
      .where('keyId', '=', keyId)
      .forUpdate('oauthGrants')
      .executeTakeFirst();
    if (!locked || (locked.expiresAt && locked.expiresAt.getTime() <= now))
      throw oauthProblem('invalid_grant');
    const { scopes, expiresAt } = locked;
    const access = () => issueAccess(trx, { keyId, family: familyOf(token), now, scopes, expiresAt });
    const taken = isTaken(locked, given, now);
    if (taken === 'no') return undefined;
    if (taken === 'again') return { ...(await access()), refresh: undefined };
    if (locked.refreshEndsAt.getTime() <= now)
      throw oauthProblem('invalid_grant', 'The refresh token is over.');
    const next = createSecret('refreshToken', familyOf(token));
    await trx
      .updateTable('oauthGrants')
      .set({
        refreshHash: next.hash,
        refreshEndsAt: new Date(now + refreshMs),
        beforeHash: given,
        rotatedAt: new Date(now),
      })
      .where('keyId', '=', keyId)
      .execute();
    return { ...(await access()), refresh: next.value };
  });
  if (tokens) {
    deps.seen.add(seenAs(token));
    return tokens;
  }
  await endGrant(deps, grant, 'a refresh token was exchanged twice');
  throw oauthProblem(
    'invalid_grant',
    'This refresh token was exchanged before. The sign-in is revoked: ask the person to sign in again.',
  );
}

/** Whether a refresh token is exchanged: the last one is, and the one before for a while, for an access token alone. */
function isTaken(
  { refreshHash, beforeHash, rotatedAt }: Pick<GrantRow, 'refreshHash' | 'beforeHash' | 'rotatedAt'>,
  given: Buffer,
  now: number,
): 'yes' | 'again' | 'no' {
  if (refreshHash.equals(given)) return 'yes';
  return beforeHash?.equals(given) && rotatedAt.getTime() + graceMs > now ? 'again' : 'no';
}

/** Ends the grant of a token (RFC 7009). What is not known needs no end. */
export async function revokeToken(deps: TokenDeps, body: RevokeBody, asker: Asker): Promise<void> {
  const { token } = body;
  await checkFailures(deps, asker, token);
  readIssuer(asker.publicUrl);
  if (token === undefined) throw oauthProblem('invalid_request', 'token is missing.');
  const kind = kindOfSecret(token);
  const grant =
    kind === 'accessToken' || kind === 'refreshToken' ? await findGrant(deps.db, token, kind) : undefined;
  if (!grant) return await deps.failures.count(asker.sender.ipAddress);
  const client = readCredentials(body, asker.authorization);
  if (!isClient(client, grant)) return await fail(deps, asker, 'invalid_client', headersFor(client));
  await endGrant(deps, grant, 'the program signed out');
}

/** The grant whose tokens begin as this one, whether or not this one is over; undefined where there is none. */
async function findGrant(
  db: Kysely<Tables>,
  token: string,
  kind: 'accessToken' | 'refreshToken',
): Promise<(GrantRow & { accountId: string }) | undefined> {
  if (kindOfSecret(token) !== kind) return undefined;
  return await db
    .selectFrom('oauthGrants')
    .innerJoin('apiKeys', 'apiKeys.id', 'keyId')
    .selectAll('oauthGrants')
    .select('accountId')
    .where('familyHash', '=', hashSecret(familyOf(token)))
    .executeTakeFirst();
}

async function endGrant(
  deps: Pick<TokenDeps, 'feed' | 'records'>,
  { accountId, keyId }: { accountId: string; keyId: string },
  why: string,
): Promise<void> {
  await revokeApiKey(deps, { accountId, id: keyId, record: { actor: 'relay', detail: { why } } });
}

async function checkRefreshes({ quotas }: TokenDeps, keyId: string): Promise<void> {
  const { count, resetMs } = await quotas.hit(`oauthRefresh ${keyId}`, 3_600_000);
  if (count <= refreshesPerHour) return;
  throw new ProblemError('rate_limited', `No more than ${refreshesPerHour} refreshes an hour.`, {
    retryAfterS: Math.ceil(resetMs / 1_000),
  });
}

/** One program at an address may send what is nobody's, by bad luck or will; the sign-ins of the others there go on. */
async function checkFailures(
  { failures, seen }: TokenDeps,
  { sender }: Asker,
  token: string = '',
): Promise<void> {
  const waitS = failures.waitS(sender.ipAddress);
  if (waitS === 0 || (kindOfSecret(token) !== undefined && (await seen.has(seenAs(token))))) return;
  throw new ProblemError('rate_limited', 'Too many unknown codes and tokens from this address.', {
    retryAfterS: waitS,
    headers: limitHeaders(failures.max, waitS),
  });
}

/** As `readRecentKeys` names the tokens of a sign-in. */
const seenAs = (token: string): string => hash('sha256', familyOf(token), 'base64url');

async function fail(
  deps: TokenDeps,
  { sender }: Asker,
  code: 'invalid_grant' | 'invalid_client',
  headers: Record<string, string> = {},
): Promise<never> {
  await deps.failures.count(sender.ipAddress);
  throw oauthProblem(code, undefined, headers);
}

interface Credentials {
  clientId: string;
  secret: string | undefined;
  auth: ClientAuth;
}

/** Who asks. Throws `invalid_request` for one who says it twice. */
function readCredentials(
  { client_id: clientId, client_secret: secret }: Pick<TokenBody, 'client_id' | 'client_secret'>,
  authorization: string | undefined,
): Credentials {
  const basic = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization ?? '')?.[1];
  if (basic === undefined) {
    if (clientId === undefined) throw oauthProblem('invalid_request', 'client_id is missing.');
    return { clientId, secret, auth: secret === undefined ? 'none' : 'client_secret_post' };
  }
  if (secret !== undefined)
    throw oauthProblem(
      'invalid_request',
      'The client’s secret stands in the header and in the body: send one.',
    );
  const [id = '', password = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeForm);
  if (clientId !== undefined && clientId !== id)
    throw oauthProblem('invalid_request', 'client_id differs in header and body.');
  return { clientId: id, secret: password, auth: 'client_secret_basic' };
}

/** RFC 6749, section 2.3.1: both parts are encoded as in a form. Some clients leave them as they are. */
function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

type ClientRow = Pick<GrantRow, 'clientIdHash' | 'clientSecretHash' | 'clientAuth'>;

/** Whether it is the client of the row, and shows its secret in the way that it was registered to. */
function isClient({ clientId, secret, auth }: Credentials, row: ClientRow): boolean {
  if (!timingSafeEqual(hash('sha256', clientId, 'buffer'), row.clientIdHash)) return false;
  if (row.clientSecretHash === null) return auth === 'none' || secret === '';
  if (auth !== row.clientAuth || secret === undefined) return false;
  return timingSafeEqual(hash('sha256', secret, 'buffer'), row.clientSecretHash);
}

const headersFor = ({ auth }: Credentials): Record<string, string> =>
  auth === 'client_secret_basic' ? { 'www-authenticate': 'Basic realm="oauth"' } : {};

/** RFC 7636, section 4.6. */
function fitsChallenge(verifier: string | undefined, challenge: string): boolean {
  if (verifier === undefined || !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return timingSafeEqual(Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(challenge));
}
