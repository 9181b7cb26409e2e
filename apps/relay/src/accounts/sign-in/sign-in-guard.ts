import { addressPrefixes } from '@tabletop-relay/kit';
import { addressPath } from '../../credentials/passwords/password.ts';
import type { PasswordVisitor } from '../../credentials/passwords/password.ts';
import { ProblemError } from '../../problem.ts';
import { limitHeaders } from '../../limits/limit-headers.ts';
import type { Limit } from '../../limits/limits.ts';
import { createSessionCheck } from './session-check.ts';
import type { CheckSession } from './session-check.ts';
import type { FailureCount, SignInFailures } from './sign-in-failures.ts';
import type { StrangerLines } from './stranger-lines.ts';

/** Somebody who gives an e-mail address and a password. */
export interface SignInAttempt {
  email: string;
  address: string;
  /** Where the account was signed in before. */
  device: string | undefined;
  /** Failures per address, over all accounts; absent: the route counts for itself. */
  perAddress?: Limit;
  /** Whether a right password is half of it: what failed before is forgiven when the second factor is right too. */
  hasSecondFactor?: () => Promise<boolean>;
}

/**
 * Decides when a password is looked at. Guessing gets slower and slower; nobody can be locked out: what counts against
 * an account from elsewhere makes its strangers wait in line, and no more.
 */
export interface SignInGuard {
  /** Resolves with what `verify` said. Throws `rate_limited` and `overloaded`. */
  check(attempt: SignInAttempt, verify: (visitor: PasswordVisitor) => Promise<boolean>): Promise<boolean>;
  /**
   * The same for a second factor, after the password was right: a wrong one is a failed sign-in, and one that could be
   * guessed counts against the account as well. Whoever makes such a one wait knew the password; recovery codes and
   * passkeys wait for nobody elsewhere. Throws `rate_limited`.
   */
  checkFactor(
    attempt: SignInAttempt & { accountId: string; isGuessable: boolean },
    verify: () => Promise<boolean>,
  ): Promise<boolean>;
  /** The same for the password that a signed-in person gives again. */
  checkSession: CheckSession;
}

export interface SignInGuardSettings {
  failuresPerPair: number;
  failuresPerDevice: number;
  failuresPerAccount: number;
  placesPerAddress: number;
  waitMs: number;
  secondFactorFailures: number;
}

const hourMs = 3_600_000;

export function createSignInGuard(deps: {
  failures: SignInFailures;
  lines: StrangerLines;
  settings: SignInGuardSettings;
}): SignInGuard {
  const { failures, lines, settings } = deps;
  const { ofAccount, ofPair, ofDevice, ofAddress, ofFactor, countsOf } = createFailureCounts(settings);

  /** A device that failed too often is a stranger. */
  async function isKnownDevice({ email, device }: SignInAttempt): Promise<boolean> {
    if (device === undefined) return false;
    const [state] = await failures.read([ofDevice(email, device)]);
    return state?.waitS === 0;
  }

  /** Throws where a stranger has to wait longer than in line; tells whether there is a line. */
  async function checkStranger({ email, address, perAddress }: SignInAttempt): Promise<boolean> {
    const [pair, account, ...addresses] = await failures.read([
      ofPair(email, address),
      ofAccount(email),
      ...(perAddress ? ofAddress(address, perAddress) : []),
    ]);
    const addressWaitS = Math.max(0, ...addresses.map(({ waitS }) => waitS));
    if (perAddress && addressWaitS > 0) throw tooManyOfAddress(perAddress, addressWaitS);
    if (pair && pair.waitS > 0) throw tooManyOfPair(pair.waitS);
    return (account?.failures ?? 0) >= settings.failuresPerAccount;
  }

  return {
    checkSession: createSessionCheck(failures, ofAccount),

    async check(attempt, verify) {
      const { email, address } = attempt;
      const deadline = performance.now() + settings.waitMs;
      const isKnown = await isKnownDevice(attempt);
      const isUnderAttack = !isKnown && (await checkStranger(attempt));
      const counts = countsOf(attempt, isKnown);
      const atTurn = async (verifyNow: () => Promise<boolean>) => {
        if (!(await failures.claim(counts))) {
          await checkStranger(attempt);
          throw tooManyOfPair(1);
        }
        const isRight = await verifyNow();
        // Within the turn, so that few right tries count as failed at any time.
        if (isRight) await undo(failures, attempt, counts);
        return isRight;
      };
      const look = () => verify({ address, account: email, isKnown, deadline, atTurn });
      const path = addressPath(address, settings.placesPerAddress);
      return isUnderAttack ? await lines.pass(email, { path, isKnown, deadline }, look) : await look();
    },

    async checkFactor(attempt, verify) {
      const isKnown = await isKnownDevice(attempt);
      const countsOfAccount = !isKnown && attempt.isGuessable ? [ofFactor(attempt.accountId)] : [];
      const counts = [...countsOf(attempt, isKnown), ...countsOfAccount];
      if (!(await failures.claim(counts))) {
        const waitS = Math.max(1, ...(await failures.read(counts)).map((state) => state.waitS));
        throw attempt.isGuessable ? tooManyCodes(waitS) : tooManyOfPair(waitS);
      }
      const isRight = await verify();
      if (isRight) await failures.forgive(counts);
      return isRight;
    },
  };
}

/** Of a right password. Where a second factor is still to come, nothing of what failed before is forgiven. */
const undo = async (failures: SignInFailures, { hasSecondFactor }: SignInAttempt, counts: FailureCount[]) =>
  (await hasSecondFactor?.()) ? failures.takeBack(counts) : failures.forgive(counts);

/** What counts against a try: by account, by account and address, by device, by address, by second factor. */
function createFailureCounts(settings: SignInGuardSettings) {
  const ofAccount = (account: string): FailureCount => ({
    account, source: '', windowMs: hourMs, free: settings.failuresPerAccount, beyond: 'goOn',
  }); // prettier-ignore
  const ofPair = (account: string, address: string): FailureCount => ({
    account, source: addressPrefixes(address)[0].block, windowMs: hourMs, free: settings.failuresPerPair,
    beyond: 'backOff',
  }); // prettier-ignore
  const ofDevice = (account: string, device: string): FailureCount => ({
    account, source: `device ${device}`, windowMs: hourMs, free: settings.failuresPerDevice,
    beyond: 'waitForWindow',
  }); // prettier-ignore
  const ofAddress = (address: string, { max, windowMs }: Limit): FailureCount[] =>
    addressPrefixes(address).map(({ block, times }) => ({
      source: block, windowMs, free: max * times, beyond: 'waitForWindow' as const,
    })); // prettier-ignore
  // By the account's id, so that a reset by mail does not clear it as it clears the counts of an address.
  const ofFactor = (accountId: string): FailureCount => ({
    account: `second factor ${accountId}`, source: '', windowMs: hourMs, free: settings.secondFactorFailures,
    beyond: 'waitForWindow',
  }); // prettier-ignore

  const countsOf = (
    { email, address, device, perAddress }: SignInAttempt,
    isKnown: boolean,
  ): FailureCount[] =>
    isKnown
      ? [ofDevice(email, device ?? ''), ofAccount(email)]
      : [...(perAddress ? ofAddress(address, perAddress) : []), ofPair(email, address), ofAccount(email)];

  return { ofAccount, ofPair, ofDevice, ofAddress, ofFactor, countsOf };
}

function tooManyOfAddress({ max }: Limit, waitS: number): ProblemError {
  const retryAfterS = Math.ceil(waitS);
  return new ProblemError(
    'rate_limited',
    `More than ${max} sign-ins from your address failed. Wait a while.`,
    {
      retryAfterS,
      headers: limitHeaders(max, retryAfterS),
    },
  );
}

function tooManyOfPair(waitS: number): ProblemError {
  return new ProblemError(
    'rate_limited',
    'Too many sign-ins for this e-mail address failed from where you are. Wait a little.',
    { retryAfterS: waitS },
  );
}

function tooManyCodes(waitS: number): ProblemError {
  return new ProblemError(
    'rate_limited',
    'Too many codes of this account’s authenticator app were wrong. Wait a while, use a recovery code or a passkey, or use a device on which you were signed in.',
    { retryAfterS: waitS },
  );
}
