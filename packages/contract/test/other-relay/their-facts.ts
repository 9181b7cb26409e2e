import type { Channel, ErrorCode } from '../../src/index.ts';

/** How the other relay lets a value be written that is no text, beside JSON of its type in a body. */
export const theirForms: readonly { type: string; as: string; write: (value: unknown) => unknown }[] = [
  { type: 'boolean', as: 'text in any case', write: (value) => String(value).toUpperCase() },
  { type: 'number', as: 'text', write: String },
  { type: 'array', as: 'the text of JSON', write: (value) => JSON.stringify(value) },
];

/** The names of the events on each stream: a prefix and what the module says. `flat`: the payload has no field of its own. */
export const theirEvents: Readonly<Record<Channel, { prefix: string; payload: 'data' | 'flat' }>> = {
  hooks: { prefix: '', payload: 'data' },
  combat: { prefix: 'combat-', payload: 'data' },
  actor: { prefix: 'actor-', payload: 'data' },
  scene: { prefix: 'scene-', payload: 'data' },
  chat: { prefix: 'chat-', payload: 'flat' },
  rolls: { prefix: 'roll', payload: 'data' },
};

/** The events that the relay itself sends on every stream. */
export const theirStreamEvents = ['connected', 'error'] as const;

/** What it answers where a call fails, beside what such a failure is called here. The body is `{ error }`. */
export const theirStatuses: readonly { when: string; there: number; here: ErrorCode }[] = [
  { when: 'no key', there: 401, here: 'key_missing' },
  { when: 'a key that is unknown or switched off', there: 401, here: 'key_invalid' },
  { when: 'a key that has expired', there: 401, here: 'key_expired' },
  { when: 'a key without the scope', there: 403, here: 'scope_missing' },
  { when: 'a world that the key may not reach', there: 403, here: 'client_not_found' },
  { when: 'a world that is not connected', there: 404, here: 'client_offline' },
  { when: 'no world named, and none is connected', there: 404, here: 'client_required' },
  { when: 'no world named, and several are connected', there: 400, here: 'client_required' },
  { when: 'a value that cannot be read', there: 400, here: 'invalid_request' },
  { when: 'a refusal of the world', there: 400, here: 'operation_failed' },
  { when: 'no answer of the world in time', there: 408, here: 'client_timeout' },
  { when: 'a line to the world that is gone', there: 500, here: 'client_lost' },
  { when: 'too many calls in a minute', there: 429, here: 'rate_limited' },
  { when: 'too many calls in a month', there: 429, here: 'monthly_limit_reached' },
  { when: 'a body above the limit', there: 413, here: 'payload_too_large' },
];

const mebibyte = 1024 * 1024;

/** Its limits, as they are where nobody set them. */
export const theirLimits = {
  bodyBytes: 250 * mebibyte,
  fileBytes: 250 * mebibyte,
  callsPerMinuteAndKey: 300,
  streamsOfOneKindPerWorld: 10,
  keyRequests: '20 per 15 min',
  triesOfAPairingCode: '10 per 15 min',
  questionsWhetherAWorldIsActive: '60 per 1 min',
} as const;

/** The calls that answer the bytes of a file, and not the world's JSON. */
export const theirFiles = ['GET /scene/image', 'GET /sheet', 'GET /download'] as const;

/** Ways in that are no call and no stream. */
export const theirOtherWays = {
  'interactive sheets': 'a sheet that is shown as pictures and takes clicks, over the socket of callers',
  'GET /contents/:path': 'an old name of `GET /structure`, which answers 400 and says so',
  'the server’s own address': 'modules ask for the address of the page that they run in',
  'a stored log-in that opens a world': 'a call for a world that is offline starts a browser for it',
} as const;

/** What else its programs count on, by what it is about. */
export const theirHabits = {
  keys: 'a key of that relay',
  'the body of a failure': '`{ "error": "..." }`',
  'a parameter that no call knows': 'dropped without a word',
  'a parameter in a place where it is not read': 'dropped without a word',
  'the master key': 'refused at every call',
  'the id of an event': 'none: what came while a stream was cut is lost',
  'the data of `connected`': '`clientId`',
  'a slow listener': 'is sent everything',
} as const;
