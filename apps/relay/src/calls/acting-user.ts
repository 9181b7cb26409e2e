import { commandFields } from '@tabletop-relay/contract';
import type { Declarations, Operation, Scope } from '@tabletop-relay/contract';
import { ProblemError } from '../problem.ts';
import { actingUserIn } from '../worlds/acting-users.ts';
import type { ActingHolder } from '../worlds/acting-users.ts';

/** A call whose world is known, as it may be sent. */
export interface Command {
  /** The command's parameters as JSON text. */
  fieldsJson: string;
  /** The user of the world as whom it runs; undefined: with the game master's rights. */
  actingUserId: string | undefined;
  /** What the module that gets it must have declared. */
  needs: keyof Declarations | undefined;
}

/**
 * Makes the command of a call with checked parameters. Its `userId` becomes that of the credential where that is bound: throws
 * `acting_user_fixed` where the call names another. `wire` is what the call log keeps, so it is told too.
 */
export function commandOf(
  operation: Operation,
  wire: Record<string, unknown>,
  holder: ActingHolder & { readonly scopes: Iterable<Scope> },
  clientId: string,
): Command {
  const bound = actingUserIn(holder, clientId);
  const given = wire['userId'] as string | undefined;
  if (bound !== undefined && given !== undefined && given !== bound)
    throw new ProblemError(
      'acting_user_fixed',
      `This acts as the user ${bound} of the world, and as nobody else. Leave userId out. Nothing was sent.`,
      { actingUserId: bound },
    );
  if (bound !== undefined) wire['userId'] = bound;
  return {
    fieldsJson: JSON.stringify(commandFields(operation, wire, holder)),
    actingUserId: bound ?? given,
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
