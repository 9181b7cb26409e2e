import { Type } from 'typebox';
import { maxUserIdLetters } from '../operations/parameters.ts';
import { nullable } from './fields.ts';

const userId = Type.String({
  minLength: 1,
  maxLength: maxUserIdLetters,
  description: 'The id of a user of that world, as `GET /players` tells it.',
});

const byWorld = { maxProperties: 500 };

/** As whom a credential acts in the worlds that it reaches, in bodies. */
export const actingUserTerms = {
  actingUserIds: Type.Optional(
    nullable(Type.Record(Type.String(), userId, { minProperties: 1, ...byWorld }), {
      description:
        'By the id of each world the user as whom the key acts there. It then reaches these worlds alone, and holds no scope that goes beyond a user. Null: bound to nobody, so that calls have the game master’s rights.',
    }),
  ),
  actingUserId: Type.Optional(
    nullable(userId, { description: 'In place of `actingUserIds` where the key reaches one world.' }),
  ),
};

/** Both fields in answers. */
export const ActingUsers = {
  actingUserIds: nullable(Type.Record(Type.String(), Type.String(), byWorld), {
    description: 'By the id of each world the user as whom it acts there; null: bound to nobody.',
  }),
  actingUserId: nullable(Type.String(), { description: 'That user, where it reaches one world.' }),
  scopedUserIds: nullable(Type.Record(Type.String(), Type.String(), byWorld), {
    description: 'Repeats `actingUserIds`, for programs that read it so.',
  }),
  scopedUserId: nullable(Type.String(), {
    description: 'Repeats `actingUserId`, for programs that read it so.',
  }),
};

/** The fields of an answer about a credential that is bound so. */
export function describeActingUsers(actingUserIds: Readonly<Record<string, string>> | null) {
  const users = Object.values(actingUserIds ?? {});
  const actingUserId = users.length === 1 ? (users[0] ?? null) : null;
  return { actingUserIds, actingUserId, scopedUserIds: actingUserIds, scopedUserId: actingUserId };
}
