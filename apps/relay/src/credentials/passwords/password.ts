import { addressPrefixes, createFairGate } from '@tabletop-relay/kit';
import type { Group, Waiter } from '@tabletop-relay/kit';
import { formerCost } from './argon2-cost.ts';
import { ProblemError } from '../../problem.ts';
import type { Hashing } from './hashing.ts';

/** The sender of a password. Address and account decide when its turn comes. */
export interface PasswordVisitor {
  address: string;
  /** The e-mail address, of an account or of nobody. */
  account: string;
  /** True for a signed-in person and for a known device. They go before strangers. */
  isKnown: boolean;
  /** On the monotonic clock. If absent, the password waits as long as the settings allow. */
  deadline?: number;
  /** Runs when the turn comes, and gets the function that verifies. It may answer without calling it. */
  atGate?: (verify: () => Promise<boolean>) => Promise<boolean>;
}

/** Both reject with `overloaded` if the queue has no place left, or if the turn does not come in time. */
export interface Passwords {
  hash(password: string, visitor: PasswordVisitor): Promise<string>;
  /**
   * Asks for the stored hash when the turn comes. Without one it answers false, after it verified against a dummy, so that an
   * unknown account costs the same.
   */
  verify(findHash: FindHash, password: string, visitor: PasswordVisitor): Promise<boolean>;
}

/** The stored hash of an account; undefined where there is no account. */
export type FindHash = () => Promise<string | undefined> | string | undefined;

export interface PasswordSettings {
  running: number;
  waiting: number;
  waitingPerAddress: number;
  waitMs: number;
}

const formerForm = (password: string) => password.normalize('NFKC');
const isOfFormerForm = (stored: string) => stored.includes(`$m=${formerCost.memoryCost},`);

/** Whether the hash of a right password was made of another form than the typed one. Such a hash must be replaced. */
export function isFormerForm(stored: string, password: string): boolean {
  return isOfFormerForm(stored) && formerForm(password) !== password;
}

/** Hashes passwords behind a gate at which addresses take turns, and accounts within an address. */
export function createPasswords(settings: PasswordSettings, hashing: Hashing): Passwords {
  const gate = createFairGate({ ...settings, tooMany: tooManyPasswords });
  let dummy: Promise<string> | undefined;

  const waiterOf = ({ address, account, isKnown, deadline }: PasswordVisitor): Waiter => ({
    path: [...addressPath(address, settings.waitingPerAddress), { key: account }],
    isKnown,
    deadline: deadline ?? performance.now() + settings.waitMs,
  });

  /** The dummy hash is made at its first use and kept. After a failure the next use tries again. */
  const dummyHash = () =>
    (dummy ??= hashing.hash('a password that nobody has').catch((error: unknown) => {
      dummy = undefined;
      throw error;
    }));

  return {
    hash: (password, visitor) => gate.pass(waiterOf(visitor), () => hashing.hash(password)),
    async verify(findHash, password, visitor) {
      const look = async () => {
        const stored = await findHash();
        const against = stored ?? (await dummyHash());
        return (await verifyForms(hashing, against, password)) && stored !== undefined;
      };
      return await gate.pass(waiterOf(visitor), () => visitor.atGate?.(look) ?? look());
    },
  };
}

/**
 * A wrong password is verified in both forms if they differ, whatever the hash is. The cost then depends on the password
 * alone, so it does not tell whether the account exists or how old its hash is.
 */
async function verifyForms(hashing: Hashing, stored: string, password: string): Promise<boolean> {
  if (await hashing.verify(stored, password)) return true;
  const former = formerForm(password);
  if (former === password) return false;
  return (await hashing.verify(stored, former)) && isOfFormerForm(stored);
}

export const tooManyPasswords = (): ProblemError =>
  new ProblemError('overloaded', 'Too many sign-ins at once. Try again in a moment.', { retryAfterS: 2 });

/** The groups of an address, the widest prefix first, because who holds a prefix holds every address in it. */
export function addressPath(address: string, max: number): Group[] {
  return addressPrefixes(address)
    .map(({ block, times }) => ({ key: block, max: max * times }))
    .toReversed();
}
