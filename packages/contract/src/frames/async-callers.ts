import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { callerCloseCodes } from './caller-close-codes.ts';
import { callerFailure, callerFrames, callerRelayFrames } from './caller-frames.ts';
import { resultSchema } from '../operations/operation.ts';
import type { Operation } from '../operations/operation.ts';
import { operations } from '../operations/index.ts';
import { plainSchema } from '../schema.ts';
import { userIdParameter } from '../operations/parameters.ts';

/** The socket of callers in the AsyncAPI document, told from the relay's side: it receives calls and sends answers and events. */
export function asyncCallers() {
  const messages: Record<string, object> = {
    ...Object.fromEntries(Object.entries({ ...callerFrames, ...callerRelayFrames }).map(frameMessage)),
    ...Object.fromEntries(operations.flatMap(callMessages)),
    'caller-call-failed': failureMessage,
  };
  const unasked = Object.keys(callerRelayFrames).filter((type) => !answered.has(type));
  return {
    channels: {
      callers: {
        address: '/ws/api',
        title: 'The socket of a caller',
        description:
          'JSON text. The key comes as the first message, or as `x-api-key` or `Authorization: Bearer` with the upgrade; everything else follows `connected`.',
        servers: [ref('servers/relay')],
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, ref(`components/messages/${name}`)]),
        ),
        bindings: { ws: { method: 'GET' as const, query: connectQuery, bindingVersion: '0.1.0' } },
        'x-close-codes': Object.values(callerCloseCodes),
      },
    },
    operations: {
      ...Object.fromEntries(Object.keys(callerFrames).map((type) => [nameOf(type), frameOperation(type)])),
      ...Object.fromEntries(
        unasked.map((type) => [
          nameOf(type),
          { action: 'send' as const, channel, messages: [messageRef(nameOf(type))] },
        ]),
      ),
      ...Object.fromEntries(
        operations.map((operation) => [nameOf(operation.name), callOperation(operation)]),
      ),
    },
    messages,
  };
}

const connectQuery = Type.Object({
  clientId: Type.Optional(Type.String({ description: 'The world for messages that name none.' })),
});

const nameOf = (type: string): string => `caller-${type}`;

function frameMessage([type, schema]: [string, TSchema]): [string, object] {
  const { description } = schema as { description?: string };
  return [nameOf(type), { name: type, summary: description, payload: schema }];
}

const envelope = {
  requestId: callerFrames.cancel.properties.requestId,
  clientId: callerFrames.subscribe.properties.clientId,
};

function callMessages(operation: Operation): [string, object][] {
  const { name, summary, description, parameters, example } = operation;
  const { required = [] } = Type.Object(parameters) as { required?: string[] };
  const payload = {
    type: 'object',
    required: ['type', 'requestId', ...required],
    properties: {
      type: Type.Literal(name),
      ...envelope,
      userId: userIdParameter,
      ...(operation.kind === 'command'
        ? { idempotencyKey: Type.String({ minLength: 1, maxLength: 255 }) }
        : {}),
      ...Object.fromEntries(
        Object.entries(parameters).map(([parameter, schema]) => [parameter, plainSchema(schema)]),
      ),
    },
  };
  const requestId = { requestId: '7' };
  return [
    [
      nameOf(name),
      {
        name,
        title: summary,
        ...(description ? { summary: description } : {}),
        payload,
        examples: [{ payload: { type: name, ...requestId, ...example.parameters } }],
      },
    ],
    [
      `${nameOf(name)}-result`,
      {
        name: `${name}-result`,
        title: `Answers \`${name}\``,
        payload: resultSchema(operation),
        examples: [
          { payload: { type: `${name}-result`, ...requestId, clientId: '8f3c1d52', ...example.result } },
        ],
      },
    ],
  ];
}

const failureMessage = {
  name: 'call-failed',
  summary: 'A call that failed: its type is that of its answer, and `problem` is what HTTP would say.',
  payload: Type.Object({
    type: Type.String({ pattern: '-result$' }),
    requestId: Type.String(),
    clientId: Type.Optional(Type.String()),
    ...callerFailure,
  }),
};

/** What the relay answers each message that is no call. */
const answers: Partial<Record<keyof typeof callerFrames, (keyof typeof callerRelayFrames)[]>> = {
  auth: ['connected', 'error'],
  ping: ['pong'],
  subscribe: ['subscribed', 'error'],
  unsubscribe: ['unsubscribed', 'error'],
};

const answered = new Set<string>(['connected', 'pong', 'subscribed']);

function frameOperation(type: string) {
  const told = answers[type as keyof typeof callerFrames];
  return {
    action: 'receive' as const,
    channel,
    messages: [messageRef(nameOf(type))],
    ...(told ? { reply: { channel, messages: told.map((one) => messageRef(nameOf(one))) } } : {}),
  };
}

function callOperation({ name, summary, group }: Operation) {
  return {
    action: 'receive' as const,
    channel,
    messages: [messageRef(nameOf(name))],
    summary,
    tags: [{ name: group }],
    reply: { channel, messages: [messageRef(`${nameOf(name)}-result`), messageRef('caller-call-failed')] },
  };
}

const ref = (path: string) => ({ $ref: `#/${path}` });
const channel = ref('channels/callers');
const messageRef = (name: string) => ref(`channels/callers/messages/${name}`);
