import type { FieldError, InputOf, notificationEndpoints } from '@tabletop-relay/contract';
import { OutboundError } from '@tabletop-relay/outbound';
import type { AddressGuard } from '@tabletop-relay/outbound';
import { invalidFields } from '../problem.ts';

export type WantedSettings = InputOf<(typeof notificationEndpoints)['setNotificationSettings']>['body'];

const resolveWithinMs = 5_000;

/**
 * Throws `invalid_request` for an unknown time zone, and for a webhook to which nothing could be sent. Puts the time zone's
 * own name in the place of how it was spelled: the worker keeps a clock for each name that is stored.
 */
export async function checkSettings(guard: AddressGuard, wanted: WantedSettings): Promise<void> {
  const errors = await Promise.all(
    wanted.webhooks.map(async ({ url }, index) => {
      const message = await whyUnreachable(guard, url);
      return message === undefined ? [] : [{ field: `webhooks[${index}].url`, message }];
    }),
  );
  const faults: FieldError[] = errors.flat();
  const { quietHours } = wanted;
  if (quietHours) {
    const timeZone = timeZoneOf(quietHours.timeZone);
    if (timeZone === undefined) {
      faults.push({ field: 'quietHours.timeZone', message: 'is not a name of the time-zone database' });
    } else quietHours.timeZone = timeZone;
  }
  const ids = wanted.webhooks.map(({ id }) => id).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) faults.push({ field: 'webhooks', message: 'name one id twice' });
  if (faults.length > 0) throw invalidFields(faults);
}

/** The address is checked again at each message, because a name can lead elsewhere by then. */
async function whyUnreachable(guard: AddressGuard, text: string): Promise<string | undefined> {
  const url = URL.parse(text);
  if (!url) return 'is not an address';
  const signal = AbortSignal.timeout(resolveWithinMs);
  try {
    const { isAllowedRange } = await guard.resolve(url.hostname, signal);
    return url.protocol === 'https:' || isAllowedRange ? undefined : 'must be https';
  } catch (error) {
    if (error instanceof OutboundError) return `cannot be used: ${error.message}`;
    if (signal.aborted) return 'cannot be used: its host was not found in time';
    throw error;
  }
}

/** The one name of a time zone, for any spelling and any of its names; undefined where there is no such zone. */
function timeZoneOf(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
