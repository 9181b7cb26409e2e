import type { ToldEvent } from '@tabletop-relay/contract';

/** What happened, as one message to one target. */
export interface Message {
  /** The receiver knows a message that comes again by it. */
  id: string;
  at: Date;
  /** The same event of the same world stands once, with its count. */
  events: readonly ToldEvent[];
  /** All of them; `events` may list fewer. */
  eventCount: number;
  /** Where its receiver changes what it is told of; absent where PUBLIC_URL is not set. */
  settingsUrl?: string;
}

/** The message in one line. */
export function titleOf({ events, eventCount }: Message): string {
  const [first, ...others] = events;
  if (!first) return 'Tabletop Relay';
  if (others.length === 0) return `${withoutStop(first.sentence)}${times(eventCount)}`;
  return `${withoutStop(first.sentence)}, and ${eventCount - first.count} more`;
}

/** One line for each event, at most `most` of them, and one that counts the rest. */
export function linesOf({ events, eventCount }: Message, most: number): string[] {
  const listed = events.slice(0, most);
  const rest = eventCount - listed.reduce((sum, { count }) => sum + count, 0);
  const lines = listed.map((event) => `${event.sentence} ${whenOf(event)}`);
  return rest > 0 ? [...lines, `And ${rest.toLocaleString('en')} more.`] : lines;
}

/** "(20:31 UTC)", "(3 times, 20:31 to 20:40 UTC)": a day is named where it is not the last event's. */
function whenOf({ count, firstAt, lastAt }: ToldEvent): string {
  const last = clock(lastAt);
  if (count === 1) return `(${last} UTC)`;
  const isOneDay = firstAt.slice(0, 10) === lastAt.slice(0, 10);
  const first = isOneDay ? clock(firstAt) : `${firstAt.slice(0, 10)} ${clock(firstAt)}`;
  return `(${count.toLocaleString('en')} times, ${first} to ${last} UTC)`;
}

const clock = (iso: string) => iso.slice(11, 16);
const times = (count: number) => (count > 1 ? ` (${count.toLocaleString('en')} times)` : '');
const withoutStop = (sentence: string) => sentence.replace(/\.$/, '');
