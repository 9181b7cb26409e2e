import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { asyncCallers } from './async-callers.ts';
import { asyncStreams } from './async-streams.ts';
import { closeCodes } from './close-codes.ts';
import { commandCaller, commandIdempotency } from './command-caller.ts';
import { moduleFrames, relayFrames, traceparent } from './frames.ts';
import { resultSchema, wireNameOf } from '../operations/operation.ts';
import type { Operation } from '../operations/operation.ts';
import { operations } from '../operations/index.ts';
import { userIdParameter } from '../operations/parameters.ts';
import { WorldMetadata } from '../world.ts';

export interface AsyncApiOptions {
  version: string;
  /** The relay's address, for example `https://relay.example`. */
  url: string;
}

/**
 * The AsyncAPI 3.0 document of the module socket, of the callers' socket and of the event streams, told from the relay's side: it sends commands
 * and receives replies, and sends events.
 */
export function asyncApi({ version, url }: AsyncApiOptions) {
  const { protocol, host, pathname } = new URL(url);
  const isPlain = protocol === 'http:' || protocol === 'ws:';
  const streams = asyncStreams();
  const callers = asyncCallers();
  const messages = {
    ...Object.fromEntries(Object.entries({ ...moduleFrames, ...relayFrames }).map(frameMessage)),
    ...Object.fromEntries(operations.flatMap(commandMessages)),
    'operation-failed': failureMessage,
  };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tabletop Relay: sockets and event streams',
      version,
      description,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      relay: {
        host,
        ...(pathname === '/' ? {} : { pathname }),
        protocol: isPlain ? 'ws' : 'wss',
      },
      api: { host, ...(pathname === '/' ? {} : { pathname }), protocol: isPlain ? 'http' : 'https' },
    },
    channels: {
      ...streams.channels,
      ...callers.channels,
      relay: {
        address: '/relay',
        title: 'The socket of one world',
        servers: [ref('servers/relay')],
        messages: mapValues(messages, (_, name) => ref(`components/messages/${name}`)),
        bindings: { ws: { method: 'GET', query: connectQuery, bindingVersion: '0.1.0' } },
        'x-close-codes': Object.values(closeCodes),
      },
    },
    operations: {
      ...streams.operations,
      ...callers.operations,
      ...mapValues(moduleFrames, (_, type) => frameOperation('receive', type)),
      ...mapValues(pushedFrames(), (_, type) => frameOperation('send', type)),
      ...Object.fromEntries(operations.map((operation) => [operation.name, commandOperation(operation)])),
    },
    components: { messages: { ...messages, ...streams.messages, ...callers.messages } },
  };
}

const description = `JSON text frames between the relay and the module in a tabletop's browser. The module connects, sends
\`auth\` as its first frame, waits for \`auth-success\`, then answers commands: each reply has the command's \`requestId\`
and the type \`<operation>-result\`, with \`error\` (and \`code\`) where the world refuses. Fields that one side does not
know are ignored.

| close code | meaning | what the module does |
|---|---|---|
${Object.values(closeCodes)
  .map(({ code, meaning, advice }) => `| ${code} | ${meaning} | ${advice.replaceAll('-', ' ')} |`)
  .join('\n')}`;

const connectQuery = Type.Object({
  id: Type.String({ description: 'The clientId that pairing gave.' }),
  ...Type.Partial(WorldMetadata).properties,
});

const failureMessage = {
  name: 'operation-failed',
  summary: 'The world refuses a command.',
  payload: Type.Object({
    type: Type.String({ pattern: '-result$' }),
    requestId: Type.String(),
    error: Type.String({ description: 'What went wrong, for people.' }),
    code: Type.Optional(Type.String({ description: 'For programs; the caller gets it as `reason`.' })),
  }),
};

function frameMessage([type, schema]: [string, TSchema]): [string, object] {
  return [type, { name: type, summary: (schema as { description?: string }).description, payload: schema }];
}

function commandMessages(operation: Operation): [string, object][] {
  const { name, summary, description, example } = operation;
  const envelope = (type: string) => ({ type, requestId: `${name}_1767225600000` });
  const parameters = mapKeys(example.parameters, (key) => wireNameOf(key, operation.parameters[key] ?? {}));
  return [
    [
      name,
      {
        name,
        title: summary,
        ...(description ? { summary: description } : {}),
        payload: commandSchema(operation),
        examples: [{ payload: { ...envelope(name), ...parameters } }],
      },
    ],
    [
      `${name}-result`,
      {
        name: `${name}-result`,
        title: `Answers \`${name}\``,
        payload: resultSchema(operation),
        examples: [{ payload: { ...envelope(`${name}-result`), ...example.result } }],
      },
    ],
  ];
}

/** A command as the module reads it: its own names, and nothing of where callers put the parameters. */
function commandSchema({ name, parameters }: Operation) {
  const { required = [] } = Type.Object(parameters) as { required?: string[] };
  const wireName = (key: string) => wireNameOf(key, parameters[key] ?? {});
  return {
    type: 'object',
    required: ['type', 'requestId', ...required.map(wireName)],
    properties: {
      type: Type.Literal(name),
      requestId: Type.String(),
      userId: userIdParameter,
      traceparent,
      caller: commandCaller,
      idempotency: commandIdempotency,
      ...mapValues(mapKeys(parameters, wireName), withoutPlace),
    },
  };
}

function withoutPlace(schema: TSchema): object {
  const { place: _place, wireName: _wireName, ...json } = schema as Record<string, unknown>;
  return json;
}

/** A module's frames and what the relay answers each. */
const answers: Partial<Record<keyof typeof moduleFrames, (keyof typeof relayFrames)[]>> = {
  auth: ['auth-success'],
  ping: ['pong'],
  'remote-request': ['remote-response'],
  'get-known-clients': ['known-clients-result', 'error'],
};

/** The frames that the relay sends unasked. */
function pushedFrames() {
  const answering = new Set<string>(Object.values(answers).flat());
  // Frames that ask for nothing are refused by it too.
  answering.delete('error');
  return Object.fromEntries(Object.entries(relayFrames).filter(([type]) => !answering.has(type)));
}

function frameOperation(action: 'send' | 'receive', type: string) {
  const answer = (answers as Record<string, string[]>)[type];
  return {
    ...operationOf(action, type),
    ...(answer ? { reply: { channel, messages: answer.map(messageRef) } } : {}),
  };
}

function commandOperation({ name, summary, group }: Operation) {
  return {
    ...operationOf('send', name),
    summary,
    tags: [{ name: group }],
    reply: { channel, messages: [messageRef(`${name}-result`), messageRef('operation-failed')] },
  };
}

const ref = (path: string) => ({ $ref: `#/${path}` });
const channel = ref('channels/relay');
const messageRef = (name: string) => ref(`channels/relay/messages/${name}`);
const operationOf = (action: 'send' | 'receive', name: string) => ({
  action,
  channel,
  messages: [messageRef(name)],
});

function mapValues<T, R>(record: Record<string, T>, map: (value: T, key: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

function mapKeys<T>(record: Record<string, T>, map: (key: string) => string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [map(key), value]));
}
