import type { RelayError, StreamEvent } from '@tabletop-relay/sdk';
import { existsSync, readFileSync } from 'node:fs';
import { commonFlags, connectionOf, relayOf, textOf, worldFlag } from '../connection.ts';
import { jsonText, UsageError } from '../terminal/failures.ts';
import { parametersOf, readFlags } from '../arguments/flags.ts';
import type { OwnFlag } from '../arguments/flags.ts';
import { channels } from '../generated/commands.ts';
import { note, write } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { writeOwn } from '../profiles.ts';
import type { Forward } from './forward.ts';

export const listenFlags: readonly OwnFlag[] = [
  { flag: 'from', value: 'id', says: 'Go on after this event.' },
  {
    flag: 'state',
    value: 'file',
    says: 'Keep the id of the last event that was dealt with there, and go on after it.',
  },
  { flag: 'until', value: 'event', says: 'End after the first event of this name.' },
  {
    flag: 'forward-to',
    value: 'address',
    says: 'Post each event there, signed as Standard Webhooks. Needs --secret-file.',
  },
  {
    flag: 'secret-file',
    value: 'file',
    says: 'Holds the secret to sign with; one is made where there is no such file.',
  },
  worldFlag,
  ...commonFlags,
];

/** `tabletop listen <channel>`: one line of JSON for each event, for ever. It comes back by itself, and says what is missing. */
export async function runListen(args: readonly string[], io: Io): Promise<void> {
  const [channel = '', ...rest] = args;
  const row = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
  if (!row) throw new UsageError(`Usage: tabletop listen <${Object.keys(channels).join('|')}>`);
  const given = readFlags(rest, listenFlags, row.flags);
  const { flags } = given;
  if (given.positionals.length > 0) throw new UsageError(`Usage: tabletop listen ${channel}`);
  const filters = await parametersOf(row.flags, given, io);
  const state = textOf(flags['state']);
  const lastEventId = textOf(flags['from']) ?? readState(state);
  const forward = await forwardOf(textOf(flags['forward-to']), textOf(flags['secret-file']), io);
  const relay = relayOf({ ...connectionOf(given, io), world: textOf(flags['world']) });
  const follow = relay.events[channel as keyof typeof relay.events] as (
    filters: object,
    options: object,
  ) => AsyncIterable<StreamEvent<'rolls'>>;
  const options = {
    signal: io.signal,
    ...(lastEventId === undefined ? {} : { lastEventId }),
    onInterrupted: ({ code, detail }: RelayError, retryInMs: number) =>
      void note(io, `tabletop: ${code}: ${detail} Again in ${(retryInMs / 1000).toFixed(1)} s.`),
  };
  for await (const event of follow(filters, options)) {
    await forward?.(event);
    await write(io.stdout, `${jsonText({ event: event.event, id: event.id, data: event.data })}\n`);
    // What was dealt with, and no more: a program that ends in between gets the event once more.
    if (state !== undefined && event.id !== undefined) writeOwn(state, event.id);
    if (event.event === textOf(flags['until'])) return;
  }
  io.signal.throwIfAborted();
}

function readState(file: string | undefined): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8').trim();
  // An id is sent as a header.
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text;
  if (text === '') return undefined;
  throw new UsageError(`${file} holds no id of an event: name another file, or remove it.`);
}

async function forwardOf(
  to: string | undefined,
  secretFile: string | undefined,
  io: Io,
): Promise<Forward | undefined> {
  if (to === undefined && secretFile === undefined) return undefined;
  if (to === undefined || secretFile === undefined)
    throw new UsageError('--forward-to and --secret-file go together.');
  const { createForward } = await import('./forward.ts');
  return createForward({ to, secretFile }, io);
}
