import { scopesBeyondUsers } from '@tabletop-relay/contract';
import { readPlainText } from '@tabletop-relay/kit';
import { sql } from 'kysely';
import { ProblemError, invalidField, invalidFields } from '../problem.ts';

/** The worlds that a credential reaches, and as whom it acts there. */
export interface Reach {
  /** Null: every world of the account. */
  clientIds: readonly string[] | null;
  /** By world; null: bound to nobody. Then `clientIds` are the worlds of this map. */
  actingUserIds: ActingUserIds | null;
}

type ActingUserIds = Readonly<Record<string, string>>;

/** What a body says of it. A field that is not given changes nothing. */
export interface GivenReach {
  clientIds?: readonly string[] | null | undefined;
  actingUserIds?: ActingUserIds | null | undefined;
  /** In place of the map where there is one world. */
  actingUserId?: string | null | undefined;
}

/** The worlds of a row: those of its map where it is bound to users, whose column of worlds is empty then. */
export const reachedBy = <C extends string[] | null>(worlds: string, users = 'acting_user_ids') =>
  sql<C>`case when ${sql.ref(users)} is null then ${sql.ref(worlds)}
    else array(select jsonb_object_keys(${sql.ref(users)}) order by 1) end`;

/** A row's column of worlds, as `reachedBy` reads it. */
export const worldsColumn = ({ clientIds, actingUserIds }: Reach): string[] | null =>
  actingUserIds ? [] : clientIds && [...clientIds];

/**
 * The reach after a change. `worlds` names the field of worlds in what it throws: `invalid_request` where the two do not fit, or
 * where a world would be left without a user.
 */
export function changeReach(before: Reach, given: GivenReach, worlds = 'clientIds'): Reach {
  const asked = given.clientIds && [...new Set(given.clientIds)];
  const users = readUsers(before, { ...given, clientIds: asked }, worlds);
  if (users === null) {
    const kept = asked === undefined ? before.clientIds : asked;
    return { clientIds: kept, actingUserIds: null };
  }
  const named = Object.keys(users);
  if (asked === undefined) return { clientIds: named, actingUserIds: users };
  if (asked === null)
    throw refuse(worlds, 'must name worlds: a key that is bound to users reaches those of actingUserIds');
  const without = asked.find((clientId) => !Object.hasOwn(users, clientId));
  if (without !== undefined)
    throw refuse('actingUserIds', `says nothing of ${without}: name its user too, or null to bind to nobody`);
  if (given.actingUserIds && asked.length !== named.length)
    throw refuse(worlds, 'must be the worlds of actingUserIds, or be left out');
  const kept = Object.fromEntries(asked.map((clientId) => [clientId, users[clientId] ?? '']));
  return { clientIds: asked, actingUserIds: kept };
}

function readUsers(before: Reach, given: GivenReach, worlds: string): ActingUserIds | null {
  const { actingUserIds, actingUserId } = given;
  if (actingUserId === undefined || actingUserId === null) {
    if (actingUserIds === undefined) return actingUserId === null ? null : before.actingUserIds;
    return actingUserIds && mapUsers(actingUserIds);
  }
  const worldsThen = actingUserIds ? Object.keys(actingUserIds) : (given.clientIds ?? before.clientIds);
  const [only, ...more] = worldsThen ?? [];
  if (only === undefined || more.length > 0)
    throw refuse('actingUserId', `is for a key of one world: name it in ${worlds}, or give actingUserIds`);
  if (actingUserIds === null || (actingUserIds && actingUserIds[only] !== actingUserId))
    throw refuse('actingUserId', 'says something else than actingUserIds: give one of them');
  return mapUsers({ [only]: actingUserId });
}

const mapUsers = (users: ActingUserIds): ActingUserIds =>
  Object.fromEntries(
    Object.entries(users).map(([clientId, userId]) => [
      clientId,
      readPlainText(userId, invalidField('actingUserIds')),
    ]),
  );

const refuse = (field: string, message: string) => invalidFields([{ field, message }]);

/** Throws `invalid_request` where a credential that is bound to users would hold a scope that goes beyond what users do. */
export function checkScopesOfUser(
  actingUserIds: ActingUserIds | null,
  scopes: readonly string[],
  field = 'scopes',
): void {
  const beyond = actingUserIds && scopes.find((scope) => scopesBeyondUsers.includes(scope));
  if (!beyond) return;
  throw refuse(field, `has ${beyond}, which nobody holds who acts as a user of the world`);
}

/** The scopes that count of a credential's: a row may be older than the rule. */
export const scopesInForce = <S extends string>(
  actingUserIds: ActingUserIds | null,
  scopes: readonly S[],
): S[] => scopes.filter((scope) => !actingUserIds || !scopesBeyondUsers.includes(scope));

/** Who may be bound to a user in each world that it reaches. */
export interface ActingHolder {
  /** Null: bound to nobody. */
  readonly actingUserIds: ReadonlyMap<string, string> | null;
}

/** The user as whom a credential acts in a world; undefined where it is bound to nobody. A world without one is refused. */
export function actingUserIn({ actingUserIds }: ActingHolder, clientId: string): string | undefined {
  if (!actingUserIds) return undefined;
  const userId = actingUserIds.get(clientId);
  if (userId === undefined) throw new ProblemError('client_not_found');
  return userId;
}

/** The map of a principal, of the row's. */
export const usersByWorld = (users: ActingUserIds | null): ReadonlyMap<string, string> | null =>
  users && new Map(Object.entries(users));
