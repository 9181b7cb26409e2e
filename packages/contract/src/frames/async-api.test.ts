import { describe, expect, test } from 'vitest';
import { asyncApi } from './async-api.ts';
import type { ChannelDefinition } from '../events/channel-definition.ts';
import { channels } from '../events/channels.ts';
import { callerCloseCodes } from './caller-close-codes.ts';
import { callerFrames, callerRelayFrames } from './caller-frames.ts';
import { closeCodes } from './close-codes.ts';
import { moduleFrames, relayFrames } from './frames.ts';
import { operations } from '../operations/index.ts';

const printed = JSON.stringify(asyncApi({ version: '1.2.3', url: 'https://relay.example' }));
const document = JSON.parse(printed) as Document;

interface Document {
  info: { version: string };
  servers: { relay: { host: string; protocol: string; pathname?: string } };
  channels: Record<string, object> & {
    relay: { messages: Record<string, unknown>; 'x-close-codes': { code: number }[] };
    callers: { messages: Record<string, unknown>; 'x-close-codes': object[] };
  };
  operations: Record<string, { action: string; messages: Ref[]; reply?: { messages: Ref[] } }>;
  components: { messages: Record<string, { payload: { properties: object; required: string[] } }> };
}

interface Ref {
  $ref: string;
}

function resolve(path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
}

test('every reference leads somewhere', () => {
  const references = [...printed.matchAll(/"\$ref":"([^"]+)"/g)].map(([, path]) => path!);
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((path) => resolve(path) === undefined)).toEqual([]);
});

describe.each(operations)('$name', ({ name, example }) => {
  test('is a command that the relay sends, with its result or a failure as reply', () => {
    expect(document.operations[name]).toMatchObject({
      action: 'send',
      messages: [{ $ref: `#/channels/relay/messages/${name}` }],
      reply: {
        messages: [
          { $ref: `#/channels/relay/messages/${name}-result` },
          { $ref: '#/channels/relay/messages/operation-failed' },
        ],
      },
    });
  });

  test('its result is described field by field', () => {
    const { properties } = document.components.messages[`${name}-result`]!.payload;
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['type', 'requestId', ...Object.keys(example.result)]),
    );
  });
});

test('commands carry the names that modules read, and nothing of HTTP', () => {
  const { properties } = document.components.messages['start-encounter']!.payload;
  expect(properties).toHaveProperty('tokenUuids');
  expect(properties).not.toHaveProperty('tokens');
  expect(printed).not.toMatch(/"(place|wireName)":/);
});

test('what a command must carry is told', () => {
  expect(document.components.messages['skill-check']!.payload.required).toEqual([
    'type',
    'requestId',
    'actorUuid',
    'skill',
  ]);
});

test.each(Object.keys({ ...moduleFrames, ...relayFrames }))('the frame %s is described', (type) => {
  expect(document.channels.relay.messages).toHaveProperty(type);
  const used = JSON.stringify(document.operations);
  expect(used).toContain(`"#/channels/relay/messages/${type}"`);
});

test('a module’s question may be answered by an error', () => {
  expect(document.operations['get-known-clients']?.reply?.messages).toEqual([
    { $ref: '#/channels/relay/messages/known-clients-result' },
    { $ref: '#/channels/relay/messages/error' },
  ]);
});

test.each(Object.entries<ChannelDefinition>(channels))(
  'the stream %s is described with its events',
  (name, channel) => {
    expect(document.channels[`${name}-stream`]).toMatchObject({
      address: channel.path,
      servers: [{ $ref: '#/servers/api' }],
      'x-query': { properties: expect.objectContaining(mapToAnything(channel.filters)) as object },
    });
    expect(document.operations[`follow-${name}`]).toMatchObject({ action: 'send' });
    const message = document.components.messages[`${name}-listened`]!;
    for (const field of ['clientId', 'channel', 'timestamp', ...Object.keys(channel.data)]) {
      expect(message.payload.properties).toHaveProperty(field);
    }
  },
);

const mapToAnything = (record: object) =>
  Object.fromEntries(Object.keys(record).map((key) => [key, expect.anything() as unknown]));

test('every close code is there', () => {
  const codes = document.channels.relay['x-close-codes'].map(({ code }) => code);
  expect(codes).toEqual(Object.values(closeCodes).map(({ code }) => code));
});

describe('the socket of callers', () => {
  test.each(operations)('$name is taken and answered', ({ name, parameters }) => {
    expect(document.operations[`caller-${name}`]).toMatchObject({
      action: 'receive',
      messages: [{ $ref: `#/channels/callers/messages/caller-${name}` }],
      reply: { messages: [{ $ref: `#/channels/callers/messages/caller-${name}-result` }, {}] },
    });
    const { properties } = document.components.messages[`caller-${name}`]!.payload;
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['type', 'requestId', 'clientId', ...Object.keys(parameters)]),
    );
  });

  test.each(Object.keys({ ...callerFrames, ...callerRelayFrames }))('the frame %s is described', (type) => {
    expect(JSON.stringify(document.operations)).toContain(`"#/channels/callers/messages/caller-${type}"`);
  });

  test('every close code is there, and says whether to come back', () => {
    expect(document.channels.callers['x-close-codes']).toEqual(Object.values(callerCloseCodes));
  });
});

test.each([
  ['https://relay.example', { host: 'relay.example', protocol: 'wss' }],
  ['http://127.0.0.1:3010', { host: '127.0.0.1:3010', protocol: 'ws' }],
  ['https://example.com/relay-1', { host: 'example.com', protocol: 'wss', pathname: '/relay-1' }],
])('%s is a server', (url, server) => {
  expect(asyncApi({ version: '1.0.0', url }).servers.relay).toEqual(server);
});

test('the relay has no ping of its own: today’s modules break at one', () => {
  expect([...Object.keys(relayFrames), ...operations.map(({ name }) => name)]).not.toContain('ping');
});
