import type { Connection } from '../connection.ts';
import { commonFlags, connectionOf, textOf, worldFlag } from '../connection.ts';
import { jsonText, UsageError } from '../terminal/failures.ts';
import { readFlags } from '../arguments/flags.ts';
import type { OwnFlag } from '../arguments/flags.ts';
import { note, write } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { asFlag } from './operation.ts';

export const mcpFlags: readonly OwnFlag[] = [
  {
    flag: 'tools',
    value: 'a,b',
    says: 'What is listed as tools: table, read, all, or groups of operations.',
  },
  { flag: 'readonly', says: 'Offer only what reads.' },
  worldFlag,
  asFlag,
  ...commonFlags.filter(({ flag }) => ['profile', 'debug', 'help'].includes(flag)),
];

/** As the relay reads. */
const mostLineBytes = 1_048_576;
/** What an assistant may have under way at once. */
const mostAtOnce = 32;
/** Above the longest time of a call, and of a start of a world. */
const patienceMs = 180_000;
const versionKey = 'io.modelcontextprotocol/protocolVersion';

interface Message {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
}

/**
 * `tabletop mcp`: passes each line of standard input, a message of the Model Context Protocol, to the relay, and writes what it
 * answers as lines. It understands of a message only what HTTP needs beside it. Ends with standard input.
 */
export async function runMcp(args: readonly string[], io: Io): Promise<void> {
  const given = readFlags(args, mcpFlags);
  const { flags, positionals } = given;
  if (positionals.length > 0) throw new UsageError('Usage: tabletop mcp');
  const connection = connectionOf(given, io);
  const query = new URLSearchParams();
  for (const name of ['world', 'as', 'tools']) {
    const value = textOf(flags[name]);
    if (value !== undefined) query.set(name, value);
  }
  if (flags['readonly'] === true) query.set('readonly', '1');
  const path = query.size > 0 ? `/mcp?${query.toString()}` : '/mcp';
  const bridge = createBridge({ ...connection, url: connection.url.replace(/\/+$/, '') + path }, io);
  const running = new Set<Promise<void>>();
  for await (const line of linesOf(io)) {
    const handled = bridge(line).finally(() => running.delete(handled));
    running.add(handled);
    if (running.size >= mostAtOnce) await Promise.race(running);
  }
  await Promise.all(running);
}

/** The lines of standard input; one that is too long is empty in place of them. */
async function* linesOf({ stdin, signal }: Io): AsyncGenerator<string, void, undefined> {
  let kept = '';
  let isTooLong = false;
  const decoder = new TextDecoder();
  const onAbort = () => void stdin.destroy();
  signal.addEventListener('abort', onAbort);
  for await (const chunk of stdin) {
    const parts = (
      typeof chunk === 'string' ? chunk : decoder.decode(chunk as Buffer, { stream: true })
    ).split('\n');
    for (const [index, part] of parts.entries()) {
      kept += part;
      if (kept.length > mostLineBytes) [kept, isTooLong] = ['', true];
      if (index === parts.length - 1) break;
      if (isTooLong || kept.trim() !== '') yield isTooLong ? '' : kept;
      [kept, isTooLong] = ['', false];
    }
  }
  if (kept.trim() !== '') yield kept;
}

function createBridge({ url, apiKey, fetch }: Connection, io: Io): (line: string) => Promise<void> {
  /** Programs of the older protocol agree on a version once, and HTTP wants it in each request. */
  let agreedVersion: string | undefined;
  const underWay = new Map<string | number, AbortController>();
  const say = (message: object) => write(io.stdout, `${jsonText(message)}\n`);
  const fail = (id: Message['id'], code: number, message: string, data?: unknown) =>
    say({
      jsonrpc: '2.0',
      id: id ?? null,
      error: { code, message, ...(data === undefined ? {} : { data }) },
    });

  return async (line) => {
    const message = parse(line);
    if (message === undefined)
      return await fail(undefined, -32_700, 'This is no message: one line of JSON, of at most 1 MiB.');
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') {
      // Over HTTP a request is given up by its connection.
      underWay.get(params?.['requestId'] as string)?.abort();
      return;
    }
    const own = new AbortController();
    if (id !== undefined) underWay.set(id, own);
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: { ...headersOf(message, agreedVersion), 'x-api-key': apiKey },
        body: line,
        signal: AbortSignal.any([io.signal, own.signal, AbortSignal.timeout(patienceMs)]),
      });
      for await (const answer of answersOf(response)) {
        if (method === 'initialize') agreedVersion ??= versionIn(answer);
        if ('jsonrpc' in answer) await say(answer);
        else await refuse(id, answer);
      }
    } catch (error) {
      if (own.signal.aborted || io.signal.aborted) return;
      const { cause, message: says } = error as Error & { cause?: { code?: string } };
      await refuse(id, {
        code: 'connection_failed',
        detail: `The relay does not answer (${cause?.code ?? says}).`,
      });
    } finally {
      if (id !== undefined) underWay.delete(id);
    }
  };

  /** A problem of the relay, as its document has it. */
  async function refuse(id: Message['id'], problem: Record<string, unknown>): Promise<void> {
    const text = `${String(problem['code'])}: ${String(problem['detail'])}`;
    if (id === undefined) await note(io, `tabletop: ${text}`);
    else await fail(id, -32_000, text, problem);
  }
}

function parse(line: string): Message | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The parameter that stands in a header too, by method. */
const nameFields: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** What the protocol wants beside a message: of the newer one what the message itself says, and of the older the version. */
function headersOf({ method, params }: Message, agreedVersion: string | undefined): Record<string, string> {
  const plain = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const meta = params?.['_meta'] as Record<string, unknown> | undefined;
  const version = meta?.[versionKey];
  if (typeof version !== 'string' || method === undefined)
    return { ...plain, ...(agreedVersion === undefined ? {} : { 'mcp-protocol-version': agreedVersion }) };
  const name = Object.hasOwn(nameFields, method) ? params?.[nameFields[method] ?? ''] : undefined;
  return {
    ...plain,
    'mcp-protocol-version': headerText(version),
    'mcp-method': headerText(method),
    ...(typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
  };
}

/** A header has visible ASCII, within which the protocol writes other texts as base64. */
const headerText = (text: string): string =>
  /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;

function versionIn(answer: Record<string, unknown>): string | undefined {
  const { protocolVersion } = (answer['result'] ?? {}) as { protocolVersion?: unknown };
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
}

/** The objects that a response holds: none, one, or those of a stream as they come. */
async function* answersOf(response: Response): AsyncGenerator<Record<string, unknown>, void, undefined> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream') && response.body) {
    for await (const data of eventsOf(response.body)) yield JSON.parse(data) as Record<string, unknown>;
    return;
  }
  const text = await response.text();
  if (text === '' && response.ok) return;
  const answer = parse(text) as Record<string, unknown> | undefined;
  yield answer && ('jsonrpc' in answer || 'code' in answer)
    ? answer
    : {
        code: 'bad_answer',
        detail: `Status ${response.status} with a body that is not the relay’s: has it no /mcp, is a proxy between?`,
      };
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const { createParser } = await import('eventsource-parser');
  const events: string[] = [];
  const parser = createParser({ maxBufferSize: 17 * 1024 * 1024, onEvent: ({ data }) => events.push(data) });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events.splice(0);
  }
}
