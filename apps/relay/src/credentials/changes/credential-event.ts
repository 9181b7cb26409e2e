import type { CredentialEventsTable } from '@tabletop-relay/database';
import type { Insertable, Selectable } from 'kysely';

export type NewCredentialEvent = Insertable<CredentialEventsTable>;

/**
 * One change of rights, as every instance hears it. The subject `client` says that the world was deleted. With
 * `sessions_ended` the `subjectId` is the session that stays, or the account's id where none does.
 */
export type CredentialEvent = Omit<Selectable<CredentialEventsTable>, 'at'>;

/** The columns that make an event. */
export const eventColumns = ['id', 'accountId', 'subject', 'subjectId', 'change'] as const;

/** Which credentials an event may have changed: the world of a key or token may be gone. */
export function affects(
  { subject, change }: Pick<CredentialEvent, 'subject' | 'change'>,
  kind: 'key' | 'token' | 'session',
): boolean {
  if (change === 'sessions_ended') return kind === 'session';
  if (subject === 'client') return kind !== 'session';
  return subject === 'account' || subject === kind;
}
