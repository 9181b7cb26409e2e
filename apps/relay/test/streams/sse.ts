import { waitFor } from '@tabletop-relay/testing';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';

/** One event as it came. */
export interface SseEvent {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** An open event stream, read as a browser would. */
export interface SseReader {
  status: number;
  headers: IncomingMessage['headers'];
  /** The problem that was answered instead of a stream. */
  problem: Record<string, unknown>;
  events: SseEvent[];
  /** Data of the module's events. */
  data(): Record<string, unknown>[];
  names(): string[];
  /** The id to come back with. */
  lastId(): string;
  /** The last `retry` that the relay sent. */
  retryMs(): number | undefined;
  /** Comments that came. */
  comments(): number;
  isClosed(): boolean;
  closed: Promise<void>;
  /** Waits for an event; each is answered once. */
  next(event: string): Promise<SseEvent>;
  /** Stops reading from the network. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface SseOptions {
  key?: string;
  lastId?: string;
  headers?: Record<string, string>;
  /** Takes each event as it comes, in place of `events`. */
  hear?: (event: SseEvent) => void;
}

const own = ['connected', 'gap', 'client-offline', 'client-online'];

/** Resolves when the head of the answer is there. */
export async function openSse(
  url: string,
  { key, lastId, headers, hear }: SseOptions = {},
): Promise<SseReader> {
  const request = get(url, {
    agent: false,
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      ...headers,
    },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  response.on('error', () => {});
  const status = response.statusCode ?? 0;
  if (status !== 200) {
    const problem = JSON.parse(await textOf(response)) as Record<string, unknown>;
    return {
      ...createReader(response),
      status,
      headers: response.headers,
      problem,
      closed,
      isClosed: () => true,
    };
  }
  const reader = createReader(response, hear);
  return { ...reader, status, headers: response.headers, problem: {}, closed, isClosed: () => isClosed };
}

// oxlint-disable-next-line max-lines-per-function -- The state of one parser and what tests ask of it.
function createReader(response: IncomingMessage, hear?: (event: SseEvent) => void) {
  const events: SseEvent[] = [];
  const keep = hear ?? ((event: SseEvent) => void events.push(event));
  const taken = new Set<SseEvent>();
  let lastId = '';
  let retryMs: number | undefined;
  let comments = 0;
  let rest = '';
  const takeBlock = (block: string) => {
    let event = '';
    let data = '';
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) comments++;
      else if (line.startsWith('id: ')) lastId = line.slice(4);
      else if (line.startsWith('event: ')) event = line.slice(7);
      else if (line.startsWith('data: ')) data = line.slice(6);
      else if (line.startsWith('retry: ')) retryMs = Number(line.slice(7));
    }
    if (data) keep({ id: lastId, event, data: JSON.parse(data) as Record<string, unknown> });
  };
  if (response.statusCode === 200) {
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) takeBlock(block);
    });
  }
  return {
    events,
    data: () => events.filter(({ event }) => !own.includes(event)).map(({ data }) => data),
    names: () => events.map(({ event }) => event),
    lastId: () => lastId,
    retryMs: () => retryMs,
    comments: () => comments,
    async next(name: string) {
      const find = () => events.find((event) => event.event === name && !taken.has(event));
      const found = await waitFor(find, { timeoutMs: 15_000, intervalMs: 2 });
      taken.add(found);
      return found;
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  return text;
}
