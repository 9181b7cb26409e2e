import { signInScopes } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Kysely } from 'kysely';
import { invalidFields } from '../../problem.ts';

/** Throws `invalid_request` for what nobody is given by a sign-in. */
export function checkSignInScopes(scopes: readonly string[]): void {
  const refused = scopes.find((scope) => !(signInScopes as readonly string[]).includes(scope));
  if (refused === undefined) return;
  const message = `has ${refused}, which no sign-in gives: make a key for it by hand`;
  throw invalidFields([{ field: 'scopes', message }]);
}

/** Whether a key is what a program was signed in for. */
export async function isGrant(db: Kysely<Tables>, keyId: string): Promise<boolean> {
  const grant = await db
    .selectFrom('oauthGrants')
    .select('keyId')
    .where('keyId', '=', keyId)
    .executeTakeFirst();
  return grant !== undefined;
}
