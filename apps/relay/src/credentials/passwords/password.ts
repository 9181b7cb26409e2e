import { hash, verify } from '@node-rs/argon2';
import { createFairGate } from '../lines/fair-gate.ts';
import type { Visitor } from '../lines/fair-gate.ts';
import type { Group } from '../lines/fair-line.ts';
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

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Argon2id off the event loop, in a line in which addresses take turns, and accounts within an address. */
export function createPasswords(settings: PasswordSettings): Passwords {
  const gate = createFairGate(settings);
  let dummy: Promise<string> | undefined;

  const turnOf = ({ address, account, isKnown, deadline }: PasswordVisitor): Visitor => ({
    path: [...addressPath(address, settings.waitingPerAddress), { key: account }],
    isKnown,
    deadline: deadline ?? performance.now() + settings.waitMs,
  });

  return {
    hash: (password, visitor) => gate.pass(turnOf(visitor), () => hash(password.normalize('NFKC'), cost)),
    async verify(stored, password, visitor) {
      dummy ??= hash('a password that nobody has', cost);
      const against = stored ?? (await dummy);
      const look = async () => (await verify(against, password.normalize('NFKC'))) && stored !== undefined;
      return await gate.pass(turnOf(visitor), () => visitor.atTurn?.(look) ?? look());
    },
  };
}

/** The turns that an address takes: its widest prefix first, for whoever holds that holds all within. */
export function addressPath(address: string, max: number): Group[] {
  return addressPrefixes(address)
    .map(({ block, times }) => ({ key: block, max: max * times }))
    .toReversed();
}
