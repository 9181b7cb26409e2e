import type { PasswordVisitor } from '../../credentials/passwords/password.ts';
import { ProblemError } from '../../problem.ts';
import type { FailureCount, SignInFailures } from './sign-in-failures.ts';

/** A signed-in person who gives the password again. */
export interface SessionAttempt {
  sessionId: string;
  email: string;
  address: string;
  /** Whether a right password is half of it: what failed before is not forgiven then. */
  hasSecondFactor: boolean;
}

/** Resolves with what `verify` said. Throws `rate_limited` and `overloaded`. */
export type CheckSession = (
  attempt: SessionAttempt,
  verify: (visitor: PasswordVisitor) => Promise<boolean>,
) => Promise<boolean>;

const hourMs = 3_600_000;
const failuresPerSession = 10;

/**
 * Looks at the password of a signed-in person. A wrong one is a failed sign-in of the account, and counts against the session from
 * wherever it is used, because whoever stole it has as many addresses as they like. Nobody without the session can use its
 * count up, and the account's person signs in anew.
 */
export function createSessionCheck(
  failures: SignInFailures,
  ofAccount: (email: string) => FailureCount,
): CheckSession {
  return async ({ sessionId, email, address, hasSecondFactor }, verify) => {
    const ofSession: FailureCount = {
      account: email, source: `session ${sessionId}`, windowMs: hourMs, free: failuresPerSession,
      beyond: 'waitForWindow',
    }; // prettier-ignore
    const counts = [ofSession, ofAccount(email)];

    async function checkWait(): Promise<void> {
      const [session] = await failures.read([ofSession]);
      if (session && session.waitS > 0) throw tooManyOfSession(session.waitS);
    }

    // Before the line of passwords too: a session that is spent takes no place in it.
    await checkWait();
    const atTurn = async (verifyNow: () => Promise<boolean>) => {
      if (!(await failures.claim(counts))) {
        await checkWait();
        throw tooManyOfSession(1);
      }
      const isRight = await verifyNow();
      if (isRight) await (hasSecondFactor ? failures.takeBack(counts) : failures.forgive(counts));
      return isRight;
    };
    return await verify({ address, account: email, isKnown: true, atTurn });
  };
}

const tooManyOfSession = (waitS: number) =>
  new ProblemError(
    'rate_limited',
    'Too many passwords that were given in this session were wrong. Wait a while, or sign in anew.',
    { retryAfterS: waitS },
  );
