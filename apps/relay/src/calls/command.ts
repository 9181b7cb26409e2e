import { commandFields, callerKinds } from '@tabletop-relay/contract';
import type { Declarations, Operation, Scope, CallerKind, CommandCaller } from '@tabletop-relay/contract';
import { ProblemError } from '../problem.ts';
import { actingUserIn } from '../worlds/acting-users.ts';
import type { ActingHolder } from '../worlds/acting-users.ts';
import type { RelaySecrets } from '@tabletop-relay/database';
import { toPlainText } from '@tabletop-relay/kit';
import { hmacCode } from '../credentials/codes.ts';
import type { Via } from '../call-log/call-row.ts';
import type { Principal } from '../keys/authenticate.ts';
import type { TokenPrincipal } from '../worlds/authenticate-token.ts';

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

/** Who asks, on the way between instances: never told to a world as it is. */
export interface AskedBy {
  /** The id of the key or of the connection token. */
  holderId: string;
  name: string;
  kind: CallerKind;
  /** Only where an assistant asks. */
  via?: 'mcp';
}

const mostLetters = 60;

/** Who asks with a key, or as another world. */
export function askedBy(caller: Principal | TokenPrincipal, via?: Via): AskedBy {
  if ('tokenId' in caller) return { holderId: caller.tokenId, name: nameFor(caller.name), kind: 'world' };
  const kind = caller.kind === 'master' ? 'masterKey' : 'key';
  const asked = { holderId: caller.keyId, name: nameFor(caller.keyName), kind } as const;
  return via === 'mcp' ? { ...asked, via } : asked;
}

const nameFor = (name: string): string => Array.from(toPlainText(name)).slice(0, mostLetters).join('');

/** What a world that wants it is told of who asks. Another instance says who asks, so a value that fits nothing tells nothing. */
export type TellCaller = (asked: AskedBy | undefined, clientId: string) => CommandCaller | undefined;

/**
 * The id is a pseudonym: the same for one key and one world, for as long as the relay's secret stands, and no two worlds can tell that it is one key.
 */
export function createTellCaller([secret]: RelaySecrets): TellCaller {
  return function tellCaller(asked, clientId) {
    if (!asked || !callerKinds.includes(asked.kind)) return undefined;
    const { holderId, name, kind, via } = asked;
    const id = hmacCode(secret, 'caller', `${clientId}:${holderId}`).toString('base64url').slice(0, 22);
    return { id, name, kind, via: kind === 'world' ? 'module' : via === 'mcp' ? via : 'http' };
  };
}

/** Puts what the relay knows into a command for a module, as the first member of its JSON text. No operation has a parameter of that name. */
export function addMember(
  fieldsJson: string,
  name: 'traceparent' | 'caller' | 'idempotency',
  value: unknown,
): string {
  return `{"${name}":${JSON.stringify(value)}${fieldsJson === '{}' ? '' : ','}${fieldsJson.slice(1)}`;
}
