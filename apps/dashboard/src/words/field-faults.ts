import { passwordRule } from '@tabletop-relay/contract';
import type { FieldError } from '@tabletop-relay/contract';

/** Beginnings of the relay’s validation messages that are meant for programs, since they name types and patterns. */
const isForPrograms = (message: string) =>
  /^(is required: |is unknown; known |must be (`|one of |a valid value|a time like|(an?|a filled) (string|array|integer|number|object)))/.test(
    message,
  );

/**
 * A fault of one field as one sentence for people. What the relay's rules say is in plain words already, and goes on from the
 * field's name; what its validation says is replaced by what belongs into the field.
 */
export function faultInWords({ field, message }: FieldError): string {
  const [subject, rule] = fields[field.replace(/^webhooks\[\d+\]/, 'webhooks')] ?? [field];
  if (!isForPrograms(message)) return `${subject} ${message}.`;
  return rule ?? `${subject} is not in the form that is asked for.`;
}

const newPassword = `A password has ${passwordRule.minLength} to ${passwordRule.maxLength} characters.`;
const time = 'A time looks like 22:00.';

/** How a field is called, and what belongs into it. */
const fields: Readonly<Record<string, readonly [subject: string, rule?: string]>> = {
  email: ['The e-mail address', 'An e-mail address looks like name@example.org.'],
  password: ['The password', newPassword],
  newPassword: ['The new password', newPassword],
  currentPassword: ['The current password', newPassword],
  token: ['This link'],
  ipAllowlist: [
    'The list of addresses',
    'List addresses and ranges with commas, like 203.0.113.7, 10.0.0.0/8.',
  ],
  monthlyLimit: ['The monthly limit', 'The monthly limit is a whole number from 1 on, or empty.'],
  expiresAt: ['The expiry date', 'The expiry date must be in the future.'],
  scopes: ['The list of permissions', 'Tick at least one permission.'],
  clientIds: ['The list of worlds', 'Choose a world, or all of them.'],
  name: ['The name', 'A name has 1 to 100 characters on one line.'],
  customName: ['The name', 'A name has up to 100 characters on one line.'],
  code: ['The code'],
  credential: ['The passkey'],
  'webhooks.url': ['The address', 'An address begins with https:// or http://.'],
  tabletopUrl: ['The address of the tabletop', 'An address begins with https:// or http://.'],
  username: ['The user', 'A user’s name has 1 to 200 characters.'],
  worldName: ['The world', 'A world’s name has up to 200 characters.'],
  batchSeconds: ['The time', 'A whole number of seconds from 10 to 86,400.'],
  'quietHours.from': ['The time', time],
  'quietHours.to': ['The time', time],
  'quietHours.timeZone': ['The time zone', 'A time zone looks like Europe/Berlin.'],
};
