import { commandFields } from '@tabletop-relay/contract';
import type { Declarations, Operation, Scope } from '@tabletop-relay/contract';
import { ProblemError } from '../problem.ts';
import { actingUserIn } from '../worlds/acting-users.ts';
import type { ActingHolder } from '../worlds/acting-users.ts';

/** A call whose world is known, as it may be sent. */
export interface Command {
  /** The command's parameters as JSON text. */
  fieldsJson: string;
  /** What the module that gets it must have declared. */
  needs: keyof Declarations | undefined;
}

/** The checked parameters of a call. */
export interface CallOfUser {
  /** By the names that modules read. The call log keeps them, so the user is written here too. */
  wire: Record<string, unknown>;
  /** The `userId` that the call itself gave. What stands in `wire` may be an earlier user of a credential that was changed since. */
  givenUserId: unknown;
}

/**
 * Makes the command of a call. Its `userId` becomes that of the credential where that is bound: throws `acting_user_fixed` where
 * the call names another.
 */
export function commandOf(
  operation: Operation,
  { wire, givenUserId }: CallOfUser,
  holder: ActingHolder & { readonly scopes: Iterable<Scope> },
  clientId: string,
): Command {
  const bound = actingUserIn(holder, clientId);
  const given = givenUserId as string | undefined;
  if (bound !== undefined && given !== undefined && given !== bound)
    throw new ProblemError(
      'acting_user_fixed',
      `This acts as the user ${bound} of the world, and as nobody else. Leave userId out. Nothing was sent.`,
      { actingUserId: bound },
    );
  const userId = bound ?? given;
  if (wire['userId'] !== userId) wire['userId'] = userId;
  return {
    fieldsJson: JSON.stringify(commandFields(operation, wire, holder)),
    needs: bound !== undefined && operation.userUnchecked ? 'checksUser' : undefined,
  };
}

/** Throws where the module that is to get a command has not declared what the call needs. */
export function checkDeclared(
  declared: Declarations,
  { needs, operation }: { needs?: keyof Declarations | undefined; operation: Pick<Operation, 'name'> },
): void {
  if (needs === undefined || declared[needs]) return;
  throw new ProblemError(
    'acting_user_unchecked',
    `The key is bound to a user, and the module of this world does not declare that it checks the user of ${operation.name}. Nothing was sent.`,
  );
}
