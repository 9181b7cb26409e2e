import {
  maxClientIdLetters,
  maxUserIdLetters,
  needsKeyByHand,
  operationGroups,
  surfaceNames,
} from '@tabletop-relay/contract';
import type { Operation, Scope } from '@tabletop-relay/contract';
import { checkReach } from '../calls/choose-client.ts';
import type { Principal } from '../keys/authenticate.ts';
import { invalidFields, ProblemError } from '../problem.ts';
import { actingUserIn, scopesInForce } from '../worlds/acting-users.ts';

/** What the address of an assistant's connection says. It only narrows what the key may do. */
export interface Narrowing {
  /** The one world that is reached. */
  world: string | undefined;
  /** The user of that world as whom it acts. */
  user: string | undefined;
  /** Queries alone. */
  isReadOnly: boolean;
  /** What is listed as tools of their own: `table`, `all`, or these groups. Of groups nothing else may be called either. */
  tools: 'table' | 'all' | ReadonlySet<string>;
}

const names = ['world', 'tools', 'readonly', 'as'] as const;
type Name = (typeof names)[number];

const groups = Object.keys(operationGroups);

/** Of a world's id and a user's as many as each call takes. */
const mostLetters: Record<Name, number> = {
  world: maxClientIdLetters,
  as: maxUserIdLetters,
  tools: 512,
  readonly: 512,
};

/**
 * Reads it of the query, and of the parts of the path behind `/mcp`, each `name=value`, for programs that cut the query. Throws
 * `invalid_request` for what is unknown, given twice and different, or not readable: a wish that was misspelt may not widen.
 */
export function readNarrowing(query: unknown, parts: readonly string[]): Narrowing {
  const given = new Map<Name, string>();
  const fromPath = parts.map((part): [string, unknown] => {
    const at = part.indexOf('=');
    return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
  });
  for (const [name, value] of [...Object.entries(query as object), ...fromPath]) take(given, name, value);
  const tools = given.get('tools') ?? 'table';
  const world = given.get('world');
  const user = given.get('as');
  return {
    world,
    user,
    isReadOnly: tools === 'read' || readFlag(given.get('readonly')),
    tools: tools === 'table' || tools === 'all' ? tools : tools === 'read' ? 'all' : readGroups(tools),
  };
}

function take(given: Map<Name, string>, written: string, value: unknown): void {
  // Callers over HTTP know it by this name.
  const name = written === 'clientId' ? 'world' : written;
  if (!isName(name))
    throw refuse(name.slice(0, 50), `is unknown: the address takes ${names.join(', ')} and nothing else`);
  const most = mostLetters[name];
  if (typeof value !== 'string' || value === '' || value.length > most)
    throw refuse(name, `must be one text of 1 to ${most} characters, given once`);
  const before = given.get(name);
  if (before !== undefined && before !== value) throw refuse(name, 'is given twice and differs');
  given.set(name, value);
}

const isName = (name: string): name is Name => (names as readonly string[]).includes(name);

function readFlag(text = '0'): boolean {
  if (/^(?:1|true)$/i.test(text)) return true;
  if (/^(?:0|false)$/i.test(text)) return false;
  throw refuse('readonly', 'must be 1 or 0');
}

function readGroups(text: string): ReadonlySet<string> {
  const named = text.split(',').map((group) => group.trim());
  const unknown = named.find((group) => !groups.includes(group));
  if (unknown === undefined) return new Set(named);
  throw refuse('tools', `must be ${surfaceNames.join(', ')}, or of these with commas: ${groups.join(', ')}`);
}

const refuse = (field: string, message: string) => invalidFields([{ field, message }]);

/**
 * The key as it may be used by this address: without the scopes that a person has to give by hand, where no person did. So no call
 * passes by one of them that its parameters need, and no module is told that its caller holds it. Throws `client_not_found` for a world that it does not reach, and `acting_user_fixed`
 * where it is bound to another user there.
 */
export function narrow(given: Principal, { world, user }: Narrowing): Principal {
  const principal = withoutUnchosen(given);
  if (world === undefined && user === undefined) return principal;
  if (world !== undefined) checkReach(principal.clientIds, world);
  const [only, ...more] = world === undefined ? (principal.clientIds ?? []) : [world];
  if (user === undefined) return { ...principal, clientIds: new Set(only === undefined ? [] : [only]) };
  if (only === undefined || more.length > 0)
    throw refuse('as', 'needs one world: name it with `world`, or use a key of one world');
  const bound = actingUserIn(principal, only);
  if (bound !== undefined && bound !== user)
    throw new ProblemError(
      'acting_user_fixed',
      `The key acts as the user ${bound} of the world, and as nobody else. Leave \`as\` out.`,
      { actingUserId: bound },
    );
  const actingUserIds = new Map([[only, user]]);
  const scopes = new Set(scopesInForce({ [only]: user }, [...principal.scopes]));
  return { ...principal, clientIds: new Set([only]), actingUserIds, scopes };
}

/** Whether a key has a scope that it lacks for assistants, because no person gave it by hand. */
const isUnchosen = ({ scopes, scopesByHand }: Principal, scope: Scope): boolean =>
  needsKeyByHand(scope) && scopes.has(scope) && !scopesByHand;

function withoutUnchosen(principal: Principal): Principal {
  const scopes = [...principal.scopes].filter((scope) => !isUnchosen(principal, scope));
  return scopes.length === principal.scopes.size ? principal : { ...principal, scopes: new Set(scopes) };
}

/** The failure of a call as it is told: what the key itself has is not told to be missing. */
export function explained(error: unknown, admitted: Principal): unknown {
  if (!(error instanceof ProblemError) || error.code !== 'scope_missing') return error;
  const scope = error.fields['scope'] as Scope;
  if (!isUnchosen(admitted, scope)) return error;
  return new ProblemError(
    'forbidden',
    `The scope ${scope} is used by assistants only with a key to which you gave it by hand, on the page of keys. Nothing was sent.`,
  );
}

/** Whether the address leaves the events: they belong to no group. */
export const leavesEvents = ({ tools }: Narrowing): boolean => typeof tools === 'string';

/** The refusal of what the address does not leave. */
export const leftOut = (): ProblemError =>
  new ProblemError(
    'forbidden',
    'The address of this connection leaves it out (`tools`, `readonly`). Nothing was sent.',
  );

/** Whether the address leaves an operation. */
export const leaves = ({ isReadOnly, tools }: Narrowing, { kind, group }: Operation): boolean =>
  (!isReadOnly || kind === 'query') && (typeof tools === 'string' || tools.has(group));
