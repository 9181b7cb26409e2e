import type { ToldEvent } from '@tabletop-relay/contract';

/** Hours of each day, as a clock of that zone shows them, in which nothing is sent. */
export interface QuietHours {
  /** As `22:30`. Later than `to`: over midnight. */
  from: string;
  to: string;
  timeZone: string;
}

/** The first moment from `at` on that is not in quiet hours. */
export function whenNotQuiet(at: Date, quiet: QuietHours | undefined): Date {
  if (!quiet) return at;
  let moment = at;
  // In a night in which summer time ends the first result is before the end of the quiet hours.
  for (let round = 0; round < 3; round++) {
    const minutes = minutesLeft(moment, quiet);
    if (minutes === 0) break;
    moment = new Date(startOfMinute(moment) + minutes * 60_000);
  }
  // A night in which summer time begins ends an hour sooner than its clock says.
  const sooner = new Date(moment.getTime() - 3_600_000);
  return sooner >= at && minutesLeft(sooner, quiet) === 0 ? sooner : moment;
}

function minutesLeft(at: Date, { from, to, timeZone }: QuietHours): number {
  const now = minuteOfDay(clockIn(timeZone).format(at));
  const [start, end] = [minuteOfDay(from), minuteOfDay(to)];
  const isQuiet = start < end ? now >= start && now < end : now >= start || now < end;
  return start !== end && isQuiet ? (end - now + 1_440) % 1_440 : 0;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A formatter costs far more to make than to use, and there are only some hundred zones. */
function clockIn(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    clocks.set(timeZone, clock);
  }
  return clock;
}

function minuteOfDay(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return hour * 60 + minute;
}

const startOfMinute = (at: Date) => at.getTime() - (at.getTime() % 60_000);

/** The quiet hours in a row of the settings; undefined where there are none. */
export function quietHoursOf({
  quietFrom: from,
  quietTo: to,
  timeZone,
}: {
  quietFrom: string | null;
  quietTo: string | null;
  timeZone: string | null;
}): QuietHours | undefined {
  return from !== null && to !== null && timeZone !== null ? { from, to, timeZone } : undefined;
}

/** What concerns the account's security does not wait for the end of quiet hours. */
export const isUrgent = (events: readonly Pick<ToldEvent, 'event'>[]): boolean =>
  events.some(({ event }) => event === 'security');
