import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from './endpoint.ts';
import { closed, id, nullable, pageOf, pageQuery, time } from './fields.ts';

const milliseconds = (description: string) => Type.Number({ description: `Milliseconds. ${description}` });

const CallRecord = Type.Object({
  id,
  at: Type.String({ format: 'date-time', description: 'When the request arrived.' }),
  keyId: id,
  keyName: Type.String({ description: 'As the key was called then.' }),
  clientId: nullable(Type.String(), {
    description: 'The world. Null where the call ended before one was chosen.',
  }),
  operation: Type.String(),
  outcome: Type.String({ description: '`ok`, or the code of the error.' }),
  status: Type.Integer({ description: 'Of the HTTP answer.' }),
  relayMs: milliseconds('The time in the relay: all but the world’s.'),
  worldMs: nullable(
    milliseconds('From the command that the world was sent to its answer, measured where its socket is.'),
    { description: 'Null where the world was not asked.' },
  ),
  requestId: Type.String({ description: '`x-request-id` of the answer, and `traceId` of an error.' }),
  standsFor: Type.Integer({
    description:
      'How many calls this entry stands for. Above 1 an instance had more calls than it records one by one, and kept a sample of those that succeeded.',
  }),
  ipAddress: Type.String({ description: 'From where it came. Empty where it was not kept.' }),
  userAgent: Type.String({
    description: 'What the program calls itself, 200 characters at most. Empty where it was not kept.',
  }),
  oldValue: Type.Boolean({ description: 'Whether it came with the old value of a key that was rolled.' }),
  ignoredParameters: Type.Array(Type.String(), {
    description: 'Names that it brought and that its operation does not know: it was made without them.',
  }),
  replayed: Type.Boolean({
    description: 'Whether it was answered as an earlier one with its `Idempotency-Key`. Nothing was sent.',
  }),
  instanceId: Type.String(),
  via: Type.Enum(['http', 'mcp', 'socket'], {
    description: 'The way that it came: `mcp` from an assistant, `socket` over a caller’s socket.',
  }),
  assistant: Type.String({
    description:
      'What the program of an assistant calls itself. Empty where it does not say so, and of other calls.',
  }),
});

const KeyCaller = Type.Object({
  ipAddress: Type.String({ description: 'Empty where it was not kept.' }),
  userAgent: Type.String({ description: 'What the program calls itself. Empty where it was not kept.' }),
  oldValue: Type.Boolean({ description: 'Whether it called with the old value of a key that was rolled.' }),
  calls: Type.Integer(),
  lastAt: time,
});

const body = (what: string) =>
  nullable(
    Type.Object({
      text: Type.String({ description: `${what} as JSON text; the first 64 KiB of it.` }),
      lacks: Type.String({ description: 'What was left out, in words. Empty where it is whole.' }),
    }),
    { description: 'Null where it was not kept, or is older than 24 hours.' },
  );

const Call = Type.Object({
  ...CallRecord.properties,
  request: body('The parameters'),
  answer: body('The answer'),
});

const Settings = Type.Object({
  keepsBodies: Type.Boolean({
    description:
      'Whether requests and answers are kept, for 24 hours. Secrets, scripts and the bytes of files are always left out, and so are the data of users and settings.',
  }),
});

const perHour = (description: string) => Type.Array(Type.Integer(), { description });

const timesPerHour = (description: string) =>
  Type.Array(nullable(Type.Number()), { description: `${description} Null in an hour without.` });

const hourlyCalls = {
  ok: perHour('Calls that succeeded, for each hour.'),
  refused: perHour('Calls that were refused or failed with a status below 500.'),
  failed: perHour('Calls that failed with a status from 500.'),
};

const timesOf = (what: string) =>
  Type.Object({
    typical: nullable(milliseconds(`Half of the calls took ${what} at most so long.`)),
    slow: nullable(milliseconds(`95 of 100 calls took ${what} at most so long.`)),
  });

const Overview = Type.Object({
  hours: Type.Array(time, {
    description:
      'When each hour begins, with `by=minute` each minute: the lists of all else have a place for each. The last one is not over.',
  }),
  times: Type.Object(
    { relay: timesOf('the relay'), world: timesOf('the world') },
    { description: 'Of all calls of this time. Null where there was none.' },
  ),
  worlds: Type.Array(
    Type.Object({
      clientId: id,
      ...hourlyCalls,
      relayP50: timesPerHour('Half of the calls took the relay at most so many milliseconds.'),
      relayP95: timesPerHour('The same for 95 of 100 calls.'),
      worldP50: timesPerHour('Half of the calls took the world at most so many milliseconds.'),
      worldP95: timesPerHour('The same for 95 of 100 calls.'),
      online: Type.Array(
        Type.Object({
          from: time,
          to: nullable(time, { description: 'Null where no end of it was recorded.' }),
        }),
        { description: 'When the world was connected, as far as the connection log tells.' },
      ),
    }),
    { description: 'The worlds with calls or connections, those with most calls first; 100 at most.' },
  ),
  keys: Type.Array(Type.Object({ keyId: id, ...hourlyCalls }), {
    description: 'The keys with calls, those with most first; 200 at most.',
  }),
  callers: Type.Array(Type.Object({ clientId: id, keyId: id, calls: Type.Integer() }), {
    description: 'Which key called which world, and how often, those with most calls first; 200 at most.',
  }),
  errors: Type.Array(Type.Object({ code: Type.String(), calls: Type.Integer() }), {
    description: 'Calls that did not succeed, by error code, the most frequent first.',
  }),
});

export const callEndpoints = {
  listCalls: {
    method: 'GET',
    path: '/auth/calls',
    summary: 'List what programs asked of your worlds',
    description:
      'Relayed calls, newest first; they are kept for 7 days. `outcome` is `ok`, `failed` for all that did not succeed, or the code of an error.',
    auth: 'session',
    origin: 'same',
    query: closed({
      ...pageQuery.properties,
      client: Type.Optional(id),
      key: Type.Optional(id),
      operation: Type.Optional(Type.String({ maxLength: 100 })),
      outcome: Type.Optional(Type.String({ maxLength: 50 })),
      requestId: Type.Optional(
        Type.String({ maxLength: 100, description: 'The call whose answer had this `x-request-id`.' }),
      ),
      since: Type.Optional(time),
      until: Type.Optional(time),
    }),
    answer: pageOf(CallRecord),
  },
  getCall: {
    method: 'GET',
    path: '/auth/calls/:id',
    summary: 'Read one call, with its request and answer where they were kept',
    auth: 'session',
    origin: 'same',
    answer: Call,
  },
  listCallers: {
    method: 'GET',
    path: '/auth/callers',
    summary: 'List from where and with which programs a key was called',
    description:
      'Of its last 2,000 entries in the call log, so of 7 days at most; the last callers first, 20 at most.',
    auth: 'session',
    origin: 'same',
    query: closed({ key: id }),
    answer: Type.Object({ items: Type.Array(KeyCaller) }),
  },
  getOverview: {
    method: 'GET',
    path: '/auth/overview',
    summary: 'Count calls, times and online time by the hour, or by the minute',
    description:
      'With `by=minute` it counts the last 60 minutes from the newest 10,000 entries of the call log, and begins later where these do not reach so far back.',
    auth: 'session',
    origin: 'same',
    query: closed({
      by: Type.Optional(Type.Union([Type.Literal('hour'), Type.Literal('minute')], { default: 'hour' })),
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 7, default: 1, description: 'Not looked at with `by=minute`.' }),
      ),
      key: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'Counts its calls alone.' }),
      ),
    }),
    answer: Overview,
  },
  getCallLogSettings: {
    method: 'GET',
    path: '/auth/call-log-settings',
    summary: 'Read what the call log keeps',
    auth: 'session',
    origin: 'same',
    answer: Settings,
  },
  changeCallLogSettings: {
    method: 'PUT',
    path: '/auth/call-log-settings',
    summary: 'Choose what the call log keeps',
    description: 'To switch the keeping of requests and answers off deletes those that are kept.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed(Settings.properties),
    answer: Settings,
  },
} as const satisfies Endpoints;

export type KeyCaller = Static<typeof KeyCaller>;
export type CallRecord = Static<typeof CallRecord>;
export type Call = Static<typeof Call>;
export type Overview = Static<typeof Overview>;
