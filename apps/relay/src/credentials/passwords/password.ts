import { formerCost } from './argon2-cost.ts';
import { createFairGate } from '../lines/fair-gate.ts';
import type { Visitor } from '../lines/fair-gate.ts';
import type { Group } from '../lines/fair-line.ts';
import type { Hashing } from './hashing.ts';
import { addressPrefixes } from '../../limits/ip-allowlist.ts';

/** For whom a password is hashed: who waits behind many others waits only behind their turns. */
export interface PasswordVisitor {
  address: string;
  /** The e-mail address, of an account or of nobody. */
  account: string;
  /** Signed in, or on a device that was: goes before strangers. */
  isKnown: boolean;
  /** On the monotonic clock; absent: as long as a password may wait. */
  deadline?: number;
  /** Runs at its turn, with what verifies; it may refuse to. */
  atTurn?: (verify: () => Promise<boolean>) => Promise<boolean>;
}

/** Both reject with `overloaded` for whom there is no place in line, or no turn in time. */
export interface Passwords {
  hash(password: string, visitor: PasswordVisitor): Promise<string>;
  /** Without a stored hash it verifies against a dummy, at the same cost, and answers false. */
  verify(stored: string | undefined, password: string, visitor: PasswordVisitor): Promise<boolean>;
}

export interface PasswordSettings {
  running: number;
  waiting: number;
  waitingPerAddress: number;
  waitMs: number;
}

const formerForm = (password: string) => password.normalize('NFKC');
const isOfFormerForm = (stored: string) => stored.includes(`$m=${formerCost.memoryCost},`);

/** Whether a password that is right was hashed in another form than the one that was typed: such a hash is to be replaced. */
export function isFormerForm(stored: string, password: string): boolean {
  return isOfFormerForm(stored) && formerForm(password) !== password;
}

/** Hashes passwords in a line in which addresses take turns, and accounts within an address. */
export function createPasswords(settings: PasswordSettings, hashing: Hashing): Passwords {
  const gate = createFairGate(settings);
  let dummy: Promise<string> | undefined;

  const turnOf = ({ address, account, isKnown, deadline }: PasswordVisitor): Visitor => ({
    path: [...addressPath(address, settings.waitingPerAddress), { key: account }],
    isKnown,
    deadline: deadline ?? performance.now() + settings.waitMs,
  });

  /** One for all; it is made at its first use, again after a failure. */
  const dummyHash = () =>
    (dummy ??= hashing.hash('a password that nobody has').catch((error: unknown) => {
      dummy = undefined;
      throw error;
    }));

  return {
    hash: (password, visitor) => gate.pass(turnOf(visitor), () => hashing.hash(password)),
    async verify(stored, password, visitor) {
      const look = async () => {
        const against = stored ?? (await dummyHash());
        return (await verifyForms(hashing, against, password)) && stored !== undefined;
      };
      return await gate.pass(turnOf(visitor), () => visitor.atTurn?.(look) ?? look());
    },
  };
}

/**
 * A wrong password is looked at in both forms whatever the hash, if they differ: what it costs follows from the password
 * alone, and tells neither whether the account exists nor how old its hash is.
 */
async function verifyForms(hashing: Hashing, stored: string, password: string): Promise<boolean> {
  if (await hashing.verify(stored, password)) return true;
  const former = formerForm(password);
  if (former === password) return false;
  return (await hashing.verify(stored, former)) && isOfFormerForm(stored);
}

/** The turns that an address takes: its widest prefix first, for whoever holds that holds all within. */
export function addressPath(address: string, max: number): Group[] {
  return addressPrefixes(address)
    .map(({ block, times }) => ({ key: block, max: max * times }))
    .toReversed();
}
