import { addressPrefixes } from '@tabletop-relay/kit';
import type { PasswordVisitor } from '../../credentials/passwords/password.ts';
import { ProblemError } from '../../problem.ts';
import { limitHeaders } from '../../limits/limit-headers.ts';
import type { Limit } from '../../limits/limits.ts';
import type { FailureCount, SignInFailures } from './sign-in-failures.ts';
import { createStrangerGate } from './stranger-gate.ts';
import type { StrangerGateSettings } from './stranger-gate.ts';

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

/** A signed-in person who gives the password again. */
export interface SessionAttempt {
  sessionId: string;
  email: string;
  address: string;
  /** Whether a right password is half of it: what failed before is not forgiven then. */
  hasSecondFactor: boolean;
}

/**
 * Decides when a password is looked at. Guessing gets slower and slower; nobody can be locked out: what counts against
 * an account from elsewhere makes its strangers wait in a queue, and no more.
 */
export interface SignInGuard {
  /** Resolves with what `verify` said. Throws `rate_limited` and `overloaded`. */
  check(attempt: SignInAttempt, verify: (visitor: PasswordVisitor) => Promise<boolean>): Promise<boolean>;
  /**
   * Resolves with what `verify` said of a second factor, after the password was right: a wrong one is a failed sign-in, and one that
   * could be guessed counts against the account as well. Whoever makes such a one wait knew the password; recovery codes and
   * passkeys wait for nobody elsewhere. Throws `rate_limited`.
   */
  checkFactor(
    attempt: SignInAttempt & { accountId: string; isGuessable: boolean },
    verify: () => Promise<boolean>,
  ): Promise<boolean>;
  /**
   * Resolves with what `verify` said of the password of a signed-in person. A wrong one is a failed sign-in of the account, and
   * counts against the session from wherever it is used, because whoever stole it has as many addresses as they like. Nobody
   * without the session can use its count up, and the account's person signs in anew. Throws `rate_limited` and `overloaded`.
   */
  checkSession(
    attempt: SessionAttempt,
    verify: (visitor: PasswordVisitor) => Promise<boolean>,
  ): Promise<boolean>;
}

export interface SignInGuardSettings {
  failuresPerPair: number;
  failuresPerDevice: number;
  failuresPerAccount: number;
  secondFactorFailures: number;
  strangers: StrangerGateSettings;
}

const hourMs = 3_600_000;
const failuresPerSession = 10;

export function createSignInGuard(deps: {
  failures: SignInFailures;
  settings: SignInGuardSettings;
}): SignInGuard {
  const { failures, settings } = deps;
  const { ofAccount, ofPair, ofDevice, ofSession, ofAddress, ofFactor, countsOf } =
    createFailureCounts(settings);
  const passStranger = createStrangerGate(settings.strangers);

  /** A device that failed too often is a stranger. */
  async function isKnownDevice({ email, device }: SignInAttempt): Promise<boolean> {
    if (device === undefined) return false;
    const [state] = await failures.read([ofDevice(email, device)]);
    return state?.waitS === 0;
  }

  /** Throws where a stranger has to wait longer than in the queue; resolves with whether the account has a queue. */
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

  async function checkSessionWait(count: FailureCount): Promise<void> {
    const [state] = await failures.read([count]);
    if (state && state.waitS > 0) throw tooManyOfSession(state.waitS);
  }

  return {
    async check(attempt, verify) {
      const { email, address, hasSecondFactor } = attempt;
      const deadline = performance.now() + settings.strangers.waitMs;
      const isKnown = await isKnownDevice(attempt);
      const isUnderAttack = !isKnown && (await checkStranger(attempt));
      const guard: Guarded = {
        counts: countsOf(attempt, isKnown),
        isHalf: async () => (await hasSecondFactor?.()) ?? false,
        refuse: async () => {
          await checkStranger(attempt);
          return tooManyOfPair(1);
        },
      };
      // Within the turn, so that few right tries count as failed at any time.
      const atGate: PasswordVisitor['atGate'] = (verifyNow) => guarded(failures, guard, verifyNow);
      const look = () => verify({ address, account: email, isKnown, deadline, atGate });
      return isUnderAttack ? await passStranger({ account: email, address, deadline }, look) : await look();
    },

    async checkFactor(attempt, verify) {
      const isKnown = await isKnownDevice(attempt);
      const countsOfAccount = !isKnown && attempt.isGuessable ? [ofFactor(attempt.accountId)] : [];
      const counts = [...countsOf(attempt, isKnown), ...countsOfAccount];
      const refuse = async () => {
        const waitS = Math.max(1, ...(await failures.read(counts)).map((state) => state.waitS));
        return attempt.isGuessable ? tooManyCodes(waitS) : tooManyOfPair(waitS);
      };
      return await guarded(failures, { counts, isHalf: () => false, refuse }, verify);
    },

    async checkSession({ sessionId, email, address, hasSecondFactor }, verify) {
      const counted = ofSession(email, sessionId);
      // Before the queue of passwords too: a session that is spent takes no place in it.
      await checkSessionWait(counted);
      const guard: Guarded = {
        counts: [counted, ofAccount(email)],
        isHalf: () => hasSecondFactor,
        refuse: async () => {
          await checkSessionWait(counted);
          return tooManyOfSession(1);
        },
      };
      const atGate: PasswordVisitor['atGate'] = (verifyNow) => guarded(failures, guard, verifyNow);
      return await verify({ address, account: email, isKnown: true, atGate });
    },
  };
}

/** How a try counts. */
interface Guarded {
  counts: FailureCount[];
  /** Whether a second factor is still to come where the try is right. */
  isHalf: () => boolean | Promise<boolean>;
  /** The refusal of a try that has to wait. */
  refuse: () => Promise<ProblemError>;
}

/** Counts a try as failed before it is looked at, so that tries at once count too. Of a right one that is undone. */
async function guarded(
  failures: SignInFailures,
  { counts, isHalf, refuse }: Guarded,
  verify: () => Promise<boolean>,
): Promise<boolean> {
  if (!(await failures.claim(counts))) throw await refuse();
  const isRight = await verify();
  // Where a second factor is still to come, nothing of what failed before is forgiven.
  if (isRight) await ((await isHalf()) ? failures.takeBack(counts) : failures.forgive(counts));
  return isRight;
}

/** What counts against a try: by account, by account and address, by device, by session, by address, by second factor. */
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
  const ofSession = (account: string, sessionId: string): FailureCount => ({
    account, source: `session ${sessionId}`, windowMs: hourMs, free: failuresPerSession,
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

  return { ofAccount, ofPair, ofDevice, ofSession, ofAddress, ofFactor, countsOf };
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

const tooManyOfSession = (waitS: number) =>
  new ProblemError(
    'rate_limited',
    'Too many passwords that were given in this session were wrong. Wait a while, or sign in anew.',
    { retryAfterS: waitS },
  );
