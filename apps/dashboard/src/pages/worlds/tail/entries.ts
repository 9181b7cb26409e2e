import type { Channel } from '@tabletop-relay/contract';
import { eventWords } from './event-words.ts';

/** An event as the list shows it. */
export interface TailEntry {
  /** Counts the events of this page. */
  number: number;
  channel: Channel;
  event: string;
  /** Epoch milliseconds when it came to this page. */
  at: number;
  /** It in words; undefined where it has none. */
  words: string | undefined;
  /** The beginning of its data in one line, without what every event has. */
  line: string;
  /** Its data as JSON, cut where it is very long. */
  text: string;
}

/** The list keeps so many events, and of each so much text: an evening of hooks would fill the browser's memory. */
export const mostEntries = 200;
export const mostText = 20_000;
const mostLine = 200;

/** The list with one more event on top. */
export function withEntry(
  entries: readonly TailEntry[],
  { channel, event, data, at }: { channel: Channel; event: string; data: unknown; at: number },
): readonly TailEntry[] {
  const text = JSON.stringify(data, null, 2) ?? '';
  const kept =
    text.length > mostText ? `${text.slice(0, mostText)}\n… ${text.length - mostText} more characters` : text;
  const number = (entries[0]?.number ?? 0) + 1;
  const words = eventWords(event, data);
  const entry: TailEntry = { number, channel, event, at, words, line: lineOf(data), text: kept };
  return [entry, ...entries.slice(0, mostEntries - 1)];
}

function lineOf(data: unknown): string {
  const {
    clientId: _client,
    channel: _channel,
    timestamp: _time,
    ...own
  } = (data ?? {}) as Record<string, unknown>;
  return JSON.stringify(own).slice(0, mostLine);
}

/** The events that hold all of these words, in their names or data. */
export function filterEntries(entries: readonly TailEntry[], filter: string): readonly TailEntry[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries.filter(({ channel, event, words: said = '', text }) => {
    const all = `${channel} ${event} ${said} ${text}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
