import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';
import {
  notificationDefaults,
  notifiedEventNames,
  notifiedEvents,
  toldEventNames,
  webhookKinds,
} from '../events/notified-events.ts';
import type { NotifiedEvent } from '../events/notified-events.ts';
import type { Endpoints } from './endpoint.ts';
import { closed, id, nothing, nullable, pageOf, pageQuery, time } from './fields.ts';

const hourAndMinute = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'As `22:30`.' });

const QuietHours = closed({
  from: hourAndMinute,
  to: hourAndMinute,
  timeZone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A name of the time-zone database, as `Europe/Berlin`.',
  }),
});

const eventChoice = closed(
  Object.fromEntries(
    notifiedEventNames.map((name) => [name, Type.Boolean({ description: `${notifiedEvents[name]}.` })]),
  ) as Record<NotifiedEvent, ReturnType<typeof Type.Boolean>>,
);

const enabledMail = {
  enabled: Type.Boolean({ description: 'Mails go to the address of the account once it is confirmed.' }),
};

const settings = <W extends TSchema, M extends TSchema>(webhook: W, email: M) => ({
  events: eventChoice,
  webhooks: Type.Array(webhook, { maxItems: 10 }),
  email,
  quietHours: Type.Optional(QuietHours),
  batchSeconds: Type.Integer({
    minimum: 10,
    maximum: 86_400,
    description: `How long what happens is collected for one message: ${notificationDefaults.batchSeconds} unless it was set.`,
  }),
});

const webhookFields = {
  kind: Type.Enum(webhookKinds),
  url: Type.String({ minLength: 1, maxLength: 2_000, pattern: '^https?://' }),
};

const Settings = Type.Object(
  settings(
    Type.Object({
      id,
      ...webhookFields,
      enabled: Type.Boolean(),
      failingSince: nullable(time, { description: 'Since when every message to it fails.' }),
      switchedOffAt: nullable(time, { description: 'When it was switched off because it failed for days.' }),
      secret: Type.Optional(
        Type.String({
          description: 'Of a new webhook of kind `standard`: its messages are signed with it. Shown once.',
        }),
      ),
    }),
    Type.Object({
      ...enabledMail,
      available: Type.Boolean({ description: 'Whether this relay sends mail at all.' }),
    }),
  ),
  { title: 'NotificationSettings' },
);

const ToldEvent = Type.Object(
  {
    event: Type.Enum([...toldEventNames], {
      description: '`attention`: a key or a webhook needs you; chosen as `security` is.',
    }),
    sentence: Type.String(),
    clientId: nullable(Type.String()),
    keyId: Type.Optional(
      Type.String({ description: 'The API key that it is about, where it is about one.' }),
    ),
    count: Type.Integer({ description: 'How often it happened.' }),
    firstAt: time,
    lastAt: time,
  },
  { title: 'ToldEvent' },
);

const Notification = Type.Object(
  {
    id: Type.String({ description: 'The `webhook-id`, and a part of the `Message-ID`.' }),
    createdAt: time,
    kind: Type.Enum([...webhookKinds, 'email']),
    label: Type.String({ description: 'Where it goes: an address, or the host of a webhook.' }),
    status: Type.Enum(['collecting', 'waiting', 'sent', 'failed'], {
      description: '`waiting`: it is being tried. `failed`: it was given up.',
    }),
    events: Type.Array(ToldEvent),
    eventCount: Type.Integer({ description: 'Above the length of `events` where these do not list all.' }),
    tries: Type.Integer(),
    nextTryAt: nullable(time),
    sentAt: nullable(time),
    answer: nullable(
      Type.Object({
        at: time,
        status: nullable(Type.Integer()),
        text: Type.String({
          description: 'The start of what the receiver said, or why there was no answer.',
        }),
      }),
    ),
  },
  { title: 'Notification' },
);

const Attention = Type.Object(
  {
    kind: Type.Enum(['rotation', 'keyLimit', 'expiredKey', 'webhook', 'browser'], {
      description:
        '`rotation`: the account is blocked until its master key is regenerated. `keyLimit`: a key has spent its month. `expiredKey`: an expired key was called within 24 hours. `webhook`: messages to it fail, or it was switched off for that. `browser`: one tries to connect to a world that another browser holds.',
    }),
    sentence: Type.String({ description: 'As in the logs and in notifications.' }),
    subjectId: nullable(Type.String(), {
      description: 'The key, the webhook or, of a browser, the `clientId` of its world.',
    }),
    since: nullable(time),
  },
  { title: 'Attention' },
);

const TestResult = Type.Object(
  {
    delivered: Type.Boolean(),
    status: nullable(Type.Integer()),
    answer: Type.String({ description: 'The start of what the receiver said, or why there was no answer.' }),
    sent: Type.String({ description: 'The message as it went out.' }),
  },
  { title: 'TestResult' },
);

export const notificationEndpoints = {
  getNotificationSettings: {
    method: 'GET',
    path: '/auth/notification-settings',
    summary: 'Show what you are told of, and where',
    auth: 'session',
    origin: 'same',
    secretAnswer: true,
    answer: Settings,
  },
  setNotificationSettings: {
    method: 'PUT',
    path: '/auth/notification-settings',
    summary: 'Set what you are told of, and where',
    description:
      'Replaces all settings. A webhook that is named by its `id` stays as it is but for the fields that changed; one that is not named is deleted.',
    auth: 'session',
    origin: 'same',
    limit: 'changeNotifications',
    body: closed(
      settings(
        closed({
          id: Type.Optional(id),
          ...webhookFields,
          enabled: Type.Optional(
            Type.Boolean({ description: 'Not given: a new webhook is on, and a known one stays as it is.' }),
          ),
        }),
        closed(enabledMail),
      ),
    ),
    secretAnswer: true,
    answer: Settings,
  },
  testNotifications: {
    method: 'POST',
    path: '/auth/notification-settings/test',
    summary: 'Send a test message, and show the receiver’s answer',
    description: 'To one webhook, or without `webhookId` to the address of the account.',
    auth: 'session',
    origin: 'same',
    limit: 'sendNotification',
    body: closed({ webhookId: Type.Optional(id) }),
    answer: TestResult,
    problems: ['not_found', 'conflict'],
  },
  listAttention: {
    method: 'GET',
    path: '/auth/attention',
    summary: 'List what needs your attention',
    description: 'What is wrong now and goes away once it is mended, what blocks most first.',
    auth: 'session',
    origin: 'same',
    answer: Type.Object({ items: Type.Array(Attention) }),
  },
  listNotifications: {
    method: 'GET',
    path: '/auth/notifications',
    summary: 'List what you were told, and what could not be delivered',
    auth: 'session',
    origin: 'same',
    query: closed({
      ...pageQuery.properties,
      status: Type.Optional(Type.Enum(['collecting', 'waiting', 'sent', 'failed'])),
    }),
    answer: pageOf(Notification),
  },
  sendNotificationAgain: {
    method: 'POST',
    path: '/auth/notifications/:id/send-again',
    summary: 'Send a notification again',
    description: 'It keeps its id, so a receiver that has it already knows it again.',
    auth: 'session',
    origin: 'same',
    limit: 'sendNotification',
    answer: nothing,
    problems: ['conflict'],
  },
} as const satisfies Endpoints;

export type NotificationSettings = Static<typeof Settings>;
export type Notification = Static<typeof Notification>;
export type Attention = Static<typeof Attention>;
export type ToldEvent = Static<typeof ToldEvent>;
export type NotificationTest = Static<typeof TestResult>;
