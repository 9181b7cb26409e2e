import type { SecondFactorAnswer, SecondFactorDemand } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import type { Sealer } from '@tabletop-relay/database';
import type { Sender } from '../../endpoint-handler.ts';
import { ProblemError } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import type { SignInAttempt, SignInGuard } from '../sign-in/sign-in-guard.ts';
import type { OneByOne } from '../one-by-one.ts';
import type { OneTimeTokens } from './one-time-tokens.ts';
import { passkeySite } from './passkey-site.ts';
import { passkeyRequest, usePasskey } from './passkeys.ts';
import { countRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import { readTotp, useTotp } from './totp.ts';

interface CheckFactorDeps {
  db: Database;
  oneByOne: OneByOne;
  guard: Pick<SignInGuard, 'checkFactor'>;
  records: Pick<Records, 'audit' | 'auditIn'>;
  tokens: OneTimeTokens;
  sealer: Sealer;
  challengeMs: number;
  now(): number;
}

/** The part of a request that a second factor is checked by. The password was right. */
export interface FactorRequest {
  account: { id: string; email: string };
  attempt: SignInAttempt;
  /** The endpoint that asks: an answer to one is good for no other. */
  purpose: string;
  answer: SecondFactorAnswer | undefined;
  publicUrl: string;
  sender: Sender;
}

/**
 * The one look at a second factor, for every endpoint that asks for the password of an account that has one. Throws
 * `second_factor_required`, `second_factor_invalid` and `rate_limited`.
 */
export type CheckSecondFactor = (request: FactorRequest) => Promise<void>;

export const createCheckSecondFactor =
  (deps: CheckFactorDeps): CheckSecondFactor =>
  (request) =>
    check(deps, request);

async function check(deps: CheckFactorDeps, request: FactorRequest): Promise<void> {
  const { account, answer } = request;
  const totp = await readTotp(deps.db, deps.sealer, account.id);
  const hasLostApp = totp !== undefined && totp.secret === undefined;
  if (!answer) {
    const detail = hasLostApp ? lostApp : undefined;
    throw new ProblemError('second_factor_required', detail, { ...(await demand(deps, request)) });
  }
  if (deps.tokens.read(contextOf(request), answer.challenge) === undefined) {
    await refuse(deps, request, 'The challenge has expired, or is not of this request.');
  }
  if (answer.method === 'totp' && hasLostApp) await refuse(deps, request, lostApp);
  const isGuessable = answer.method === 'totp';
  const isRight = await deps.guard.checkFactor(
    { ...request.attempt, accountId: account.id, isGuessable },
    () =>
      deps.oneByOne(`account ${account.id}`, () =>
        deps.db.transaction().execute((trx) => useAnswer(deps, trx, { ...request, answer })),
      ),
  );
  if (isRight) return;
  deps.records.audit({
    accountId: account.id,
    event: 'second_factor.failed',
    detail: { method: answer.method },
    ...auditOf(request.sender),
  });
  await refuse(deps, request, 'The second factor is wrong, or was used before.');
}

const lostApp =
  'Codes of your authenticator app cannot be checked any more, because the secret of this relay was changed. Use a passkey or a recovery code, or ask the operator of this relay to reset your second factor.';

async function refuse(deps: CheckFactorDeps, request: FactorRequest, detail: string): Promise<never> {
  throw new ProblemError('second_factor_invalid', detail, { ...(await demand(deps, request)) });
}

const contextOf = ({ purpose, account }: FactorRequest) => `challenge ${purpose} ${account.id}`;

async function demand(deps: CheckFactorDeps, request: FactorRequest): Promise<SecondFactorDemand> {
  const { token, expiresAt } = deps.tokens.issue(contextOf(request), '', deps.challengeMs);
  const accountId = request.account.id;
  const totp = await readTotp(deps.db, deps.sealer, accountId);
  const site = passkeySite(request.publicUrl);
  const passkeyOptions = site && (await passkeyRequest(deps.db, { accountId, site, challenge: token }));
  const hasCodes = (await countRecoveryCodes(deps.db, accountId)) > 0;
  return {
    methods: [
      ...(totp?.secret === undefined ? [] : (['totp'] as const)),
      ...(passkeyOptions ? (['passkey'] as const) : []),
      ...(hasCodes ? (['recovery'] as const) : []),
    ],
    challenge: token,
    challengeExpiresAt: expiresAt.toISOString(),
    ...(passkeyOptions ? { passkeyOptions: { ...passkeyOptions } } : {}),
  };
}

/**
 * In one transaction: what is used up is used up only once, whoever races. Of what nobody can guess, a wrong answer uses
 * up nothing: whoever knows the password would fill the account's bound, and its owner would not be heard.
 */
async function useAnswer(
  deps: CheckFactorDeps,
  trx: Transaction<Tables>,
  request: FactorRequest & { answer: SecondFactorAnswer },
): Promise<boolean> {
  const { account, answer, sender } = request;
  await trx.selectFrom('accounts').select('id').where('id', '=', account.id).forNoKeyUpdate().execute();
  const now = deps.now();
  const useChallenge = () => deps.tokens.use(trx, account.id, answer.challenge);
  if (answer.method === 'totp') {
    const { code } = answer;
    return (await useChallenge()) && (await useTotp(trx, deps.sealer, { accountId: account.id, code, now }));
  }
  if (answer.method === 'passkey') {
    const site = passkeySite(request.publicUrl);
    const isRight = site && (await usePasskey(trx, { ...answer, accountId: account.id, site, now }));
    return isRight === true && (await useChallenge());
  }
  // A right code is used up itself, so its challenge need not be.
  if (!(await useRecoveryCode(trx, account.id, answer.code))) return false;
  const left = await countRecoveryCodes(trx, account.id);
  await deps.records.auditIn(trx, {
    accountId: account.id,
    event: 'recovery_code.used',
    detail: { left },
    ...auditOf(sender),
  });
  return true;
}
