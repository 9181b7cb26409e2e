import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { hashSecret } from '../../credentials/secret.ts';
import type { Sealer } from '@tabletop-relay/database';
import { ProblemError } from '../../problem.ts';

/** Challenges and set-ups: nothing is stored of those that nobody has answered, so asking for many fills no table. */
export interface OneTimeTokens {
  /** `context` names what the token is for and whose it is; it is good for nothing else. */
  issue(context: string, payload: string, lifetimeMs: number): IssuedToken;
  /** Undefined for one that is not ours, is of another context, or has expired. */
  read(context: string, token: string): string | undefined;
  /**
   * Uses it up; false where it was used before. The transaction must have locked the account's row, so that the bound
   * holds under any race. Throws `rate_limited` where the account has used too many lately.
   */
  use(trx: Transaction<Tables>, accountId: string, token: string): Promise<boolean>;
}

export interface IssuedToken {
  token: string;
  expiresAt: Date;
}

export interface OneTimeTokensDeps {
  sealer: Sealer;
  /** The longest life of a token: for so long a used one is remembered. */
  longestMs: number;
  maxUsed: number;
  now(): number;
}

export function createOneTimeTokens({ sealer, longestMs, maxUsed, now }: OneTimeTokensDeps): OneTimeTokens {
  return {
    issue(context, payload, lifetimeMs) {
      const expiresAt = new Date(now() + lifetimeMs);
      return { token: sealer.seal(`${expiresAt.getTime()} ${payload}`, context), expiresAt };
    },
    read(context, token) {
      const [, expiresAt, payload] = /^(\d+) (.*)$/s.exec(sealer.open(token, context) ?? '') ?? [];
      return Number(expiresAt) > now() ? payload : undefined;
    },
    async use(trx, accountId, token) {
      const ofAccount = trx.deleteFrom('usedTokens').where('accountId', '=', accountId);
      await ofAccount.where('expiresAt', '<=', new Date(now())).execute();
      const { used } = await trx
        .selectFrom('usedTokens')
        .select(sql<string>`count(*)`.as('used'))
        .where('accountId', '=', accountId)
        .executeTakeFirstOrThrow();
      if (Number(used) >= maxUsed) {
        throw new ProblemError(
          'rate_limited',
          'Too many second factors of this account were given. Wait a little.',
          {
            retryAfterS: 60,
          },
        );
      }
      const { numInsertedOrUpdatedRows = 0n } = await trx
        .insertInto('usedTokens')
        .values({ hash: hashSecret(token), accountId, expiresAt: new Date(now() + longestMs) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },
  };
}
