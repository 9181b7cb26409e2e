import { Type } from 'typebox';
import { fieldsSchema, filterSchemas } from '../events/channel-data.ts';
import type { ChannelDefinition } from '../events/channel-definition.ts';
import { channels } from '../events/channels.ts';
import type { Fields } from '../events/fields.ts';
import { eventFacts, streamEvents } from '../events/stream-events.ts';

/** The event streams in the AsyncAPI document: a channel for each, and what the relay sends on it. */
export function asyncStreams() {
  const all = Object.entries<ChannelDefinition>(channels);
  const own = Object.entries<{ meaning: string; data: Fields }>(streamEvents).map(
    ([name, { meaning, data }]) => [
      `stream-${name}`,
      { name, summary: meaning, payload: fieldsSchema(data) },
    ],
  );
  return {
    channels: Object.fromEntries(
      all.map(([name, channel]) => [streamName(name), streamChannel(name, channel)]),
    ),
    operations: Object.fromEntries(
      all.map(([name, { summary }]) => [
        `follow-${name}`,
        {
          action: 'send' as const,
          channel: ref(`channels/${streamName(name)}`),
          summary,
          messages: messageNames(name).map((message) =>
            ref(`channels/${streamName(name)}/messages/${message}`),
          ),
        },
      ]),
    ),
    messages: Object.fromEntries([
      ...own,
      ...all.map(([name, channel]) => eventMessage(name, channel)),
    ]) as Record<string, object>,
  };
}

const streamName = (name: string): string => `${name}-stream`;

const messageNames = (name: string): string[] => [
  ...Object.keys(streamEvents).map((event) => `stream-${event}`),
  `${name}-listened`,
];

function streamChannel(name: string, { path, summary, filters }: ChannelDefinition) {
  return {
    address: path,
    title: summary,
    description: 'Server-sent events. Needs an API key with the scope `events:subscribe`.',
    servers: [ref('servers/api')],
    messages: Object.fromEntries(
      messageNames(name).map((message) => [message, ref(`components/messages/${message}`)]),
    ),
    'x-query': Type.Object(filterSchemas(filters)),
  };
}

function eventMessage(name: string, { events, data, example }: ChannelDefinition) {
  const known = Object.entries(events).map(([event, meaning]) => `- \`${event}\`: ${meaning}`);
  const facts = { clientId: '8f3c1d52', channel: name, timestamp: 1_767_225_600_000 };
  return [
    `${name}-listened`,
    {
      name: `${name}-listened`,
      title: 'An event of the world',
      summary: `Modules may send other events than these.\n\n${known.join('\n')}`,
      payload: fieldsSchema({ ...data, ...eventFacts }),
      examples: [{ payload: { ...facts, ...example } }],
    },
  ];
}

const ref = (path: string) => ({ $ref: `#/${path}` });
