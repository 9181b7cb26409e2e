import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

export interface KeyPair {
  /** SPKI, PEM. */
  publicKey: string;
  /** PKCS#8, PEM. */
  privateKey: string;
}

export interface KeyPairs {
  /** Begins to make pairs ahead. */
  start(): void;
  stop(): void;
  /** A pair that nobody else gets. Waits only when all that were made ahead are gone. */
  take(): Promise<KeyPair>;
}

const makeKeyPair = promisify(generateKeyPair);

/**
 * RSA key pairs, each for one handshake. Making one takes 50 to 300 ms in a thread of Node's pool, so `ahead` of them are
 * made one after another while nobody waits: the pool's other work, such as DNS and files, keeps three of its threads.
 */
export function createKeyPairs(ahead: number, make = makeRsa): KeyPairs {
  const ready: KeyPair[] = [];
  let making: Promise<KeyPair> | undefined;
  let isRunning = false;

  /** One after another, also where many wait. */
  function next(): Promise<KeyPair> {
    const before = making ?? Promise.resolve();
    const made = before.then(make, make);
    making = made;
    void made.then(
      () => making === made && (making = undefined),
      () => making === made && (making = undefined),
    );
    return made;
  }

  function refill(): void {
    if (!isRunning || making || ready.length >= ahead) return;
    next().then(
      (pair) => {
        ready.push(pair);
        refill();
      },
      // The next take tries again, and tells its caller.
      () => {},
    );
  }

  return {
    start() {
      isRunning = true;
      refill();
    },
    stop() {
      isRunning = false;
      ready.length = 0;
    },
    async take() {
      const pair = ready.shift() ?? (await next());
      refill();
      return pair;
    },
  };
}

async function makeRsa(): Promise<KeyPair> {
  return await makeKeyPair('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
