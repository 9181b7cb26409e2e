import type { CredentialEventsTable } from '@tabletop-relay/database';
import type { Insertable, Selectable } from 'kysely';

export type NewCredentialEvent = Insertable<CredentialEventsTable>;

/**
 * A change of what a credential may do, as it is told to every instance. The subject `client` means that the world was
 * deleted, `given_back` that a browser unpaired itself. With `sessions_ended` the `subjectId` is the session that stays, or the account's id if none stays.
 */
export type CredentialEvent = Omit<Selectable<CredentialEventsTable>, 'at'>;

/** The columns that make an event. */
export const eventColumns = ['id', 'accountId', 'subject', 'subjectId', 'change'] as const;

/** Whether an event may have changed credentials of a kind. A deleted world may have been one of a key or token. */
export function affects(
  { subject, change }: Pick<CredentialEvent, 'subject' | 'change'>,
  kind: 'key' | 'token' | 'session',
): boolean {
  if (change === 'sessions_ended') return kind === 'session';
  if (subject === 'client') return kind !== 'session';
  return subject === 'account' || subject === kind;
}
