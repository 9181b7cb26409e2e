import {
  ActiveSession,
  callerFrames,
  callerRelayFrames,
  channels,
  ClientList,
  ClientRecord,
  ClientSummary,
  consoleLevels,
  errors,
  eventFacts,
  Problem,
  scopeNames,
  streamEvents,
  WorldMetadata,
} from '@tabletop-relay/contract';
import type { ChannelDefinition } from '@tabletop-relay/contract';
import {
  comment,
  eventField,
  fieldsOf,
  filterField,
  interfaceText,
  literal,
  objectText,
  typesFile,
  typeText,
  union,
} from './type-text.ts';
import type { TypedSchema } from './type-text.ts';

/** `packages/contract/src/types/words.ts`: what the SDKs name beside operations and endpoints. */
export function wordTypes(): string {
  return typesFile(
    'packages/contract/src',
    names('ErrorCode', 'The code of a failure that the relay answers.', Object.keys(errors)),
    names('Scope', 'What a key may be allowed.', scopeNames),
    names('Channel', 'A kind of events that callers can follow.', Object.keys(channels)),
    names('ConsoleLevel', 'The least that is kept of a page’s console.', consoleLevels),
    record(
      'Problem',
      'A failure as the relay answers it (RFC 9457); some codes add fields.',
      Problem as TypedSchema,
      ['[extra: string]: unknown;'],
    ),
    record('WorldMetadata', 'A world as its module describes it.', WorldMetadata),
    record(
      'ClientRecord',
      'A paired world, online or not. Offline it has its last known values.',
      ClientRecord,
    ),
    record('ClientList', 'The worlds that a key may see.', ClientList),
    record('ClientSummary', 'The part of a world that modules of the same account are told.', ClientSummary),
    record('ActiveSession', 'A world in a browser of the relay.', ActiveSession),
  );
}

/** `packages/contract/src/types/events.ts`. */
export function eventTypes(): string {
  const perChannel = Object.entries<ChannelDefinition>(channels).map(([name, channel]) => ({
    name,
    type: channelType(channel),
    description: `${channel.summary}.`,
  }));
  const ofTheRelay = Object.entries(streamEvents).map(([name, { meaning, data }]) => ({
    name,
    type: objectText(Object.entries(data).map(([field, type]) => eventField(field, type))),
    description: meaning,
  }));
  const facts = Object.entries(eventFacts).map(([name, type]) => eventField(name, type));
  return typesFile(
    'packages/contract/src/events',
    interfaceText(
      'ChannelTypes',
      'The filters of each channel, the names of its events, and their data.',
      perChannel,
    ),
    interfaceText(
      'StreamEventTypes',
      'The data of the events that the relay itself sends on any stream.',
      ofTheRelay,
    ),
    interfaceText('EventFacts', 'What the relay puts into every event beside what the module sent.', facts),
  );
}

function channelType({ filters, data, events, named }: ChannelDefinition): string {
  const names = Object.keys(events).map(literal);
  return objectText([
    {
      name: 'filters',
      type: objectText(Object.entries(filters).map(([name, filter]) => filterField(name, filter))),
    },
    // A module may send names that are not known here, where it names its events itself.
    { name: 'event', type: eventName(named, names) },
    {
      name: 'data',
      type: objectText(
        Object.entries(data).map(([name, type]) => eventField(name, type)),
        ['readonly [field: string]: unknown;'],
      ),
    },
  ]);
}

function eventName({ prefix, field }: ChannelDefinition['named'], known: readonly string[]): string {
  if (field === undefined) return union(known);
  return prefix === '' ? 'string' : `\`${prefix}\${string}\``;
}

const names = (name: string, says: string, values: readonly string[]) =>
  `${comment(says)}\nexport type ${name} =\n${values.map((value) => `  | ${literal(value)}`).join('\n')};`;

const record = (name: string, says: string, schema: TypedSchema, more: readonly string[] = []) =>
  interfaceText(name, says, fieldsOf(schema), more);

/** `packages/contract/src/types/caller-frames.ts`: the messages of `/ws/api`. */
export function callerFrameTypes(): string {
  const types = (frames: object) =>
    Object.entries(frames as Record<string, TypedSchema>).map(([name, schema]) => ({
      name,
      type: typeText(schema),
      description: schema.description,
    }));
  return typesFile(
    'packages/contract/src/frames',
    interfaceText(
      'CallerFrameTypes',
      'What a caller may send over its socket, beside calls.',
      types(callerFrames),
    ),
    interfaceText(
      'CallerRelayFrameTypes',
      'What the relay may send a caller over its socket, beside answers.',
      types(callerRelayFrames),
    ),
  );
}
