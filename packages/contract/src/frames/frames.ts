import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';
import { channelData } from '../events/channel-data.ts';
import { channelNames, channels } from '../events/channels.ts';
import type { Channel } from '../events/channels.ts';
import { scopeNames } from '../scopes.ts';
import { WorldPause } from '../pause.ts';
import { ClientSummary } from '../world.ts';
import { declarations } from './declarations.ts';
import { traceparentPattern } from './traceparent.ts';

/**
 * The frames on a module's socket, JSON text. Frames may carry fields beyond these: both sides ignore what
 * they do not know.
 */

const requestId = Type.String({
  description: '`<operation>_<epoch ms>`; unique among the calls in flight on this socket.',
});

const frame = <N extends string, P extends Record<string, TSchema>>(
  type: N,
  fields: P,
  description: string,
) => Type.Object({ type: Type.Literal(type), ...fields }, { description });

export const maxHandoverLength = 64;

/** Stands in commands too. */
export const traceparent = Type.Optional(
  Type.String({
    pattern: traceparentPattern,
    description:
      'Only where the call is traced: W3C Trace Context, of which a span continues. Ignore it if you have no traces.',
  }),
);

const dropped = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      'How many events of the channel the module had to leave out just before this one. Listeners are told.',
  }),
);

/** So many users at most may be named with an event, and so long may the id of each be. */
export const visibleToBounds = { users: 500, idLength: 256 } as const;

const visibleTo = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: visibleToBounds.idLength }), {
    maxItems: visibleToBounds.users,
    description:
      'The ids of the users who may see it: listeners that are bound to a user get no other. Where it is absent they get of `chat` what is public, theirs or whispered to them, and nothing of other channels. Listeners are not told.',
  }),
);

/** The frame of each channel’s events, by `type`. */
const eventFrames = Object.fromEntries(
  channelNames.map((name) => [
    channels[name].frame,
    frame(
      channels[name].frame,
      { data: channelData[name], dropped, visibleTo },
      `An event of the channel \`${name}\`. Send it only while somebody listens to the channel.`,
    ),
  ]),
) as {
  [C in Channel as FrameOf<C>]: ReturnType<
    typeof frame<
      FrameOf<C>,
      { data: (typeof channelData)[C]; dropped: typeof dropped; visibleTo: typeof visibleTo }
    >
  >;
};

type FrameOf<C extends Channel> = (typeof channels)[C]['frame'];

/** The frames that a module may send, by `type`. Replies, of type `<operation>-result`, come beside them. */
export const moduleFrames = {
  auth: frame(
    'auth',
    {
      token: Type.String(),
      handover: Type.Optional(
        Type.String({
          maxLength: maxHandoverLength,
          description: 'From `reconnect`: the second socket may be opened while the first one stands.',
        }),
      ),
      ...declarations,
    },
    'The first frame, within 10 s of connecting.',
  ),
  ping: frame('ping', {}, 'Answered `pong`.'),
  serve: frame(
    'serve',
    { requestId },
    'From a browser that waits: it shall serve in the place of the one that does, because a person says so. Answered by `auth-success`. The other one is closed with 1012 once its calls have ended, and may wait in turn.',
  ),
  ...eventFrames,
  'remote-request': frame(
    'remote-request',
    {
      requestId,
      targetClientId: Type.String({ description: 'A world of the same account; never the module’s own.' }),
      action: Type.String({ description: 'The operation’s name on the wire, for example `skill-check`.' }),
      payload: Type.Optional(
        Type.Object(
          {},
          { description: 'The operation’s parameters, as JSON, whatever their place in HTTP.' },
        ),
      ),
      idempotencyKey: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description:
            'A printable ASCII text of yours that is new for each command: with it a repeat is safe, as with the `Idempotency-Key` of HTTP.',
        }),
      ),
      traceparent,
    },
    'Asks another world of the same account, as the token’s permissions allow.',
  ),
  'player-list': frame(
    'player-list',
    { users: Type.Array(Type.Unknown()) },
    'Accepted for today’s modules; unused.',
  ),
  'module-notify': frame(
    'module-notify',
    {
      event: Type.String(),
      details: Type.Optional(Type.Unknown({ description: 'What there is to tell; kept in the entry.' })),
      actor: Type.Optional(Type.Unknown({ description: 'The tabletop’s user who did it; kept as well.' })),
    },
    'An audit entry `module.<event>`. Of `details` and `actor` 2,000 characters of JSON are kept. Those beyond the rate of a socket are dropped, counted and answered with one `error`.',
  ),
  'set-pause': frame(
    'set-pause',
    {
      requestId,
      paused: Type.Boolean({ description: 'True stops all programs; false lifts what was stopped so.' }),
      userName: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'The tabletop’s user who does it: the dashboard shows it.',
        }),
      ),
    },
    'Pauses this world, or lifts the pause that was set in the tabletop, by whichever of its browsers. Answered with `pauses`.',
  ),
  'get-known-clients': frame(
    'get-known-clients',
    { requestId },
    'Asks for the worlds of the account that this token may reach.',
  ),
} as const;

/** Why a frame was refused: the `code` of an `error` frame, or of another answer that says no. */
export const frameErrors = {
  bad_frame:
    'The frame is not a JSON object with a type, or it is above 256 KiB and neither its `type` nor its `requestId` stands in the first 64 KiB. The tenth within a minute closes the socket.',
  bad_event:
    'The event was dropped: its data is no object, or has no text by which it could be named on the streams.',
  bad_pause: 'The frame has no `paused`, or none that is true or false.',
  unknown_frame: 'No frame by that type is known here; it was dropped.',
  rate_limited: 'Too many frames of this type within a short time: it was dropped. Send fewer.',
  overloaded: 'The socket’s last question of this type is not answered yet. Wait for its answer.',
  unavailable: 'The answer cannot be had at the moment. Ask again later.',
  standby:
    'This browser waits: another one serves the world. It may send `ping` and `serve`; the frame was dropped.',
  already_authenticated: 'The socket is authenticated; a second auth frame changes nothing.',
} as const;

const pauses = Type.Array(WorldPause, {
  description: 'The pauses of this world that stand; while there is one, programs are refused.',
});

/** The frames that the relay may send, by `type`. Commands, of type `<operation>`, go beside them. */
export const relayFrames = {
  'auth-success': frame(
    'auth-success',
    {
      instanceId: Type.String(),
      clientId: Type.String(),
      heartbeatMs: Type.Integer(),
      maxFrameBytes: Type.Integer({
        description: 'Larger frames of the module are dropped, and the call that such a frame answers fails.',
      }),
      pauses,
      requestId: Type.Optional(Type.String({ description: 'Of the `serve` that it answers.' })),
    },
    'All checks have passed: commands may follow.',
  ),
  standby: frame(
    'standby',
    { instanceId: Type.String(), clientId: Type.String(), heartbeatMs: Type.Integer() },
    'All checks have passed, and another browser serves the world: this one waits. `auth-success` follows on the same socket when it serves. Only to modules that declare `standby`.',
  ),
  cancel: frame('cancel', { requestId }, 'Nobody waits for this command’s reply any more.'),
  'event-subscription-update': frame(
    'event-subscription-update',
    { channel: Type.Enum(Object.values(channels).map((channel) => channel.wire)), count: Type.Integer() },
    'How many listen to a channel: on every change from or to zero and after connecting. It falls to zero five minutes after the last listener left. `roll-events` stays above zero while a key with `roll:read` may reach the world, for `rolls` answers what was rolled meanwhile.',
  ),
  'remote-response': frame(
    'remote-response',
    {
      requestId,
      success: Type.Boolean(),
      data: Type.Optional(
        Type.Unknown({ description: 'On success: the other world’s reply without its `requestId`.' }),
      ),
      ignoredParameters: Type.Optional(
        Type.Array(Type.String(), { description: 'Names of the payload that the operation does not know.' }),
      ),
      replayed: Type.Optional(
        Type.Boolean({
          description:
            'This is the answer to an earlier request with its `idempotencyKey`. Nothing was sent.',
        }),
      ),
      error: Type.Optional(Type.String({ description: 'On failure: what happened and what to do.' })),
      code: Type.Optional(Type.String({ description: 'On failure: a code of the errors that HTTP has.' })),
      reason: Type.Optional(
        Type.String({ description: 'The other world’s own code, where the code is `operation_failed`.' }),
      ),
      outcome: Type.Optional(
        Type.Enum(['not_sent', 'unknown'], {
          description: 'Whether a failed request reached the other world.',
        }),
      ),
      retryable: Type.Optional(
        Type.Boolean({ description: 'On failure: whether the same request may be repeated.' }),
      ),
      retryAfterMs: Type.Optional(Type.Integer({ description: 'How long to wait before that.' })),
    },
    'The answer to a remote request. Failures may have further fields, as the problem documents of HTTP have.',
  ),
  'known-clients-result': frame(
    'known-clients-result',
    {
      requestId,
      clients: Type.Array(ClientSummary),
      tokenScopes: Type.Array(Type.Enum(scopeNames)),
      tokenAllowedTargets: Type.Array(Type.String()),
    },
    'The module’s own world, those that its token may reach, and what it may do there.',
  ),
  pauses: frame(
    'pauses',
    { requestId: Type.Optional(Type.String({ description: 'Of the `set-pause` that it answers.' })), pauses },
    'On every change of the pauses of this world, and in answer to `set-pause`.',
  ),
  reconnect: frame(
    'reconnect',
    {
      afterMs: Type.Integer(),
      handover: Type.Optional(
        Type.String({
          description: 'A secret for the next `auth` frame. Opens one socket of this world, beside this one.',
        }),
      ),
    },
    'This instance is going away, or has too many worlds; come back after so long. Until then, and a little longer, this socket serves.',
  ),
  pong: frame('pong', {}, 'Answers `ping`.'),
  error: frame(
    'error',
    {
      requestId: Type.Optional(
        Type.String({ description: 'Of the frame that it answers, where that has one.' }),
      ),
      code: Type.Enum(Object.keys(frameErrors) as (keyof typeof frameErrors)[]),
      message: Type.String(),
    },
    'A frame that could not be used, or a question without an answer.',
  ),
} as const;

export type ModuleFrame = Static<(typeof moduleFrames)[keyof typeof moduleFrames]>;
export type RelayFrame = Static<(typeof relayFrames)[keyof typeof relayFrames]>;

export type FrameErrorCode = keyof typeof frameErrors;
