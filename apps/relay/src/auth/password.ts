import { hash, verify } from '@node-rs/argon2';
import { ProblemError } from '../http/problem.ts';

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a stored hash it verifies against a dummy, at the same cost, and answers false. */
  verify(stored: string | undefined, password: string): Promise<boolean>;
}

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Argon2id off the event loop: `running` at once, `waiting` in line, then 503 `overloaded`. */
export function createPasswords({ running = 2, waiting = 32 } = {}): Passwords {
  const take = createTurnstile(running, waiting);
  let dummy: Promise<string> | undefined;
  return {
    hash: (password) => take(() => hash(password.normalize('NFKC'), cost)),
    async verify(stored, password) {
      dummy ??= hash('a password that nobody has', cost);
      const against = stored ?? (await dummy);
      const matches = await take(() => verify(against, password.normalize('NFKC')));
      return matches && stored !== undefined;
    },
  };
}

function createTurnstile(running: number, waiting: number) {
  let free = running;
  const line: (() => void)[] = [];
  return async function take<T>(work: () => Promise<T>): Promise<T> {
    if (free === 0) {
      if (line.length >= waiting) {
        throw new ProblemError('overloaded', 'Too many sign-ins at once. Try again in a moment.', {
          retryAfterS: 2,
        });
      }
      await new Promise<void>((resolve) => line.push(resolve));
    } else free--;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else free++;
    }
  };
}
