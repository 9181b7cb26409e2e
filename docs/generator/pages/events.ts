import { channels, streamEvents } from '../../../packages/contract/src/index.ts';
import type { ChannelDefinition, ChannelFilter } from '../../../packages/contract/src/index.ts';
import { fieldsSchema } from '../../../packages/contract/src/events/channel-data.ts';
import { code, codes, fieldRows, page, table } from '../markdown.ts';

const intro = `Each stream is one GET that stays open and sends server-sent events. It needs the header \`x-api-key\` with a key that
holds \`events:subscribe\`, and takes \`clientId\` as every call does. A filter that cannot be read is
refused with 400 before the stream opens, and so is a name that may be a misspelt filter, or that would let less pass elsewhere
(\`userId\`, \`whisperTo\`). Any other unknown name filters nothing, and the header \`x-ignored-parameters\` names it; so are the filters of hooks,
combat, actors and scenes on each other's streams. The relay applies the filters.

Each event has an \`id\`, an \`event\` name and one line of JSON as \`data\`: \`clientId\`, \`channel\`, \`timestamp\` (epoch
milliseconds of the relay) and what the module sent. The relay's fields win over the module's. Who comes back with the header
\`Last-Event-ID\`, or with \`lastEventId\` or \`Last-Event-ID\` in its query, gets what it missed, from a history of 5 minutes and at most 2,000 events or 2 MiB of them. A comment comes every 15 s.`;

/** `docs/reference/events.md`. */
export function eventsPage(): string {
  const all = Object.entries<ChannelDefinition>(channels);
  return page(
    'Event streams',
    '`packages/contract/src/events`',
    intro,
    table(
      ['stream', 'does', 'filters'],
      all.map(([name, { path, summary, filters }]) => [
        `[GET ${path}](#${name})`,
        summary,
        codes(Object.keys(filters)),
      ]),
    ),
    `## Events of every stream\n\n${table(
      ['event', 'data', 'meaning'],
      Object.entries(streamEvents).map(([name, { data, meaning }]) => [
        code(name),
        codes(Object.keys(data)),
        meaning,
      ]),
    )}`,
    ...all.map(channelText),
  );
}

function channelText([name, channel]: [string, ChannelDefinition]): string {
  const { path, summary, description = '', frame, filters, events, data, example } = channel;
  return [
    `## ${name}`,
    `${summary}. ${description}`.trim(),
    `${code(`GET ${path}`)} · SDK ${code(`relay.events.${name}`)} · from modules as ${code(frame)}`,
    table(
      ['filter', 'type', 'meaning'],
      Object.entries(filters).map(([filter, one]) => [code(filter), filterTypes[one.type], one.description]),
    ),
    table(
      ['event', 'meaning'],
      Object.entries(events).map(([event, meaning]) => [code(event), meaning]),
    ),
    table(['data', 'type', 'meaning'], fieldRows(fieldsSchema(data))),
    repetition[channel.repeated],
    `\`\`\`text\n${exampleOf(name, channel, example)}\n\`\`\``,
  ].join('\n\n');
}

/** The relay writes them to listeners; the history does not hold them. */
const repetition = {
  data: 'For programs of another relay, what the module sent stands once more under `data`, unless it sends a `data` of its own.',
  flat: 'For programs of another relay, the fields of `data` stand once more beside it, unless the event has a field of that name.',
};

const filterTypes = {
  text: 'text',
  integer: 'integer',
  names: 'names, with commas between them',
  flag: 'true or false',
} as const satisfies Record<ChannelFilter['type'], string>;

function exampleOf(
  name: string,
  { named }: ChannelDefinition,
  example: ChannelDefinition['example'],
): string {
  const event = named.prefix + (named.field === undefined ? '' : String(example[named.field]));
  const facts = { clientId: '8f3c1d52', channel: name, timestamp: 1_767_225_600_000 };
  return `id: kq3X1zRt0aPWm8Lc:7\nevent: ${event}\ndata: ${JSON.stringify({ ...facts, ...example })}`;
}
