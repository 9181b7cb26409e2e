import type { Followed, Position } from '@tabletop-relay/cluster';
import type { Channel, StreamEventData, StreamEventName } from '@tabletop-relay/contract';
import { repeatData } from './repeat-data.ts';

/** The text of an event without its id. */
export const eventText = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

const dataMark = '\ndata: ';

/** Name and JSON of an event, as they stand in its text. */
export function partsOf({ body }: Pick<Prepared, 'body'>): { name: string; json: Buffer } {
  const nameEnd = body.indexOf('\n');
  return {
    name: body.toString('utf8', 'event: '.length, nameEnd),
    json: body.subarray(nameEnd + dataMark.length, body.length - '\n\n'.length),
  };
}

/** The text of an event of the relay's own, without its id. */
export function formatEvent<E extends StreamEventName>(event: E, data: StreamEventData<E>): string {
  return eventText(event, data);
}

/** The id of an event, by which its listener may resume. */
export const idOf = ({ gen, n }: Position): string => `${gen}:${n}`;

export const formatId = (position: Position, proof = ''): string =>
  `id: ${idOf(position)}${proof && `:${proof}`}\n`;

export interface ParsedEvent {
  name: string;
  /** As listeners get it. */
  data: Record<string, unknown>;
  /** The users who may see it, where its module says so. Listeners are not told. */
  visibleTo: readonly string[] | undefined;
}

/** A message of a stream as listeners get it, made once for all of them. */
export interface Prepared {
  /** The event without its id. */
  readonly body: Buffer;
  /** The event with its id. */
  readonly whole: Buffer;
  /** Name and data of a module's event, as it was stored; undefined for an event of the relay's own. */
  readonly parsed: ParsedEvent | undefined;
}

/** Makes the bytes of a message when the first listener needs them. The last is kept, because all listeners of one follow. */
export function createPrepare(facts: { clientId: string; channel: Channel }) {
  let last: { followed: Followed; prepared: Prepared } | undefined;
  return function prepare(followed: Followed): Prepared {
    if (last?.followed !== followed) last = { followed, prepared: prepareOne(followed, facts) };
    return last.prepared;
  };
}

function prepareOne(followed: Followed, facts: { clientId: string; channel: Channel }): Prepared {
  if (followed.kind === 'event') {
    const { event } = followed;
    const parsed = parseEvent(event);
    const body = withRepeated(event, parsed, facts.channel);
    return { body, whole: withId(followed, body), parsed };
  }
  const body = Buffer.from(textOf(followed, facts));
  return { body, whole: withId(followed, body), parsed: undefined };
}

function textOf(
  followed: Exclude<Followed, { kind: 'event' }>,
  facts: { clientId: string; channel: Channel },
): string {
  if (followed.kind === 'gap') {
    const { dropped } = followed;
    return formatEvent('gap', { ...facts, ...(dropped === undefined ? {} : { dropped }) });
  }
  return formatEvent(`client-${followed.kind}`, { ...facts, timestamp: followed.at });
}

const withId = (position: Position, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(formatId(position)), body]);

function withRepeated(event: Buffer, { name, data, visibleTo }: ParsedEvent, channel: Channel): Buffer {
  const write = (written: object) => Buffer.from(eventText(name, written));
  const repeated = repeatData(channel, data);
  try {
    if (repeated !== data) return write(repeated);
  } catch {
    // Data that is nested very deep was just written once, but JSON.stringify overflows the stack one level deeper.
  }
  return visibleTo ? write(data) : event;
}

/** Reads an event as the owner wrote it: two lines, the name and the data. */
function parseEvent(event: Buffer): ParsedEvent {
  const nameEnd = event.indexOf('\n');
  const stored = JSON.parse(event.toString('utf8', nameEnd + dataMark.length)) as Record<string, unknown>;
  const { visibleTo, ...data } = stored;
  return {
    name: event.toString('utf8', 'event: '.length, nameEnd),
    data,
    visibleTo: visibleTo as readonly string[] | undefined,
  };
}

/** Reads a `Last-Event-ID`; undefined where it is none of ours. */
export function readEventId(text: unknown): (Position & { proof: string }) | undefined {
  if (typeof text !== 'string' || text.length > 200) return undefined;
  const [, gen = '', n = '', proof = ''] = /^([\w-]{16}):(\d{1,15})(?::([\w-]{22}))?$/.exec(text) ?? [];
  return gen === '' ? undefined : { gen, n: Number(n), proof };
}
