import { hashSecret } from '../../credentials/secret.ts';
import { randomBytes, timingSafeEqual } from 'node:crypto';

const lifeMs = 10 * 60_000;

/** Links that sign somebody in once. They live in the memory of this process, and one for each account. */
export interface SignInLinks {
  /** Makes the secret of a link that signs in to the account. The link made before it ends. */
  make(accountId: string): string;
  /** The account of a secret. It is used up by that; undefined for what is none, or was used, or is older than ten minutes. */
  take(secret: string): string | undefined;
}

export function createSignInLinks(now: () => number = Date.now): SignInLinks {
  const links = new Map<string, { hash: Buffer; until: number }>();
  return {
    make(accountId) {
      const secret = randomBytes(32).toString('base64url');
      links.set(accountId, { hash: hashSecret(secret), until: now() + lifeMs });
      return secret;
    },
    take(secret) {
      const given = hashSecret(secret);
      for (const [accountId, { hash, until }] of links) {
        if (until <= now()) links.delete(accountId);
        else if (timingSafeEqual(hash, given)) {
          links.delete(accountId);
          return accountId;
        }
      }
      return undefined;
    },
  };
}
