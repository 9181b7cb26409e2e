import { Type } from 'typebox';
import type { Static } from 'typebox';
import { accountEvents } from '../../events/account-events.ts';
import { channelNames } from '../../events/channels.ts';
import { Pause } from '../../pause.ts';
import { WorldMetadata } from '../../world.ts';
import type { Endpoints } from '../endpoint.ts';
import { closed, id, nothing, nullable, pageOf, pageQuery, time } from '../fields.ts';

const KnownClient = Type.Object(
  {
    clientId: id,
    ...WorldMetadata.properties,
    customName: Type.String({ description: 'The dashboard’s, else the module’s, else empty.' }),
    isOnline: nullable(Type.Boolean({ description: 'Null while the cluster cannot tell.' })),
    instanceId: Type.String(),
    ipAddress: Type.String(),
    tokenName: Type.String(),
    lastSeenAt: nullable(time),
    connectedSince: nullable(time),
    tokens: Type.Integer({ description: 'How many browsers are paired.' }),
    standbys: Type.Array(
      Type.Object({
        standbyId: id,
        tokenName: Type.String(),
        ipAddress: Type.String(),
        instanceId: Type.String(),
        since: time,
      }),
      {
        description:
          'The browsers that wait to serve the world when the connected one goes, the longest waiting first; 5 at most. Empty while the cluster cannot tell.',
      },
    ),
    pauses: Type.Array(Pause, {
      description:
        'At most one that was set in the relay, and one in the tabletop. While one stands, calls to the world are refused as `paused`.',
    }),
    createdAt: time,
  },
  { title: 'KnownClient' },
);

export const worldEndpoints = {
  listKnownClients: {
    method: 'GET',
    path: '/auth/known-clients',
    summary: 'List your worlds',
    auth: 'session',
    origin: 'same',
    query: pageQuery,
    answer: pageOf(KnownClient),
  },
  updateKnownClient: {
    method: 'PATCH',
    path: '/auth/known-clients/:clientId',
    summary: 'Name a world',
    description: 'The name wins over the one that the module gives. An empty name restores the module’s.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed({ customName: Type.String({ maxLength: 100 }) }),
    answer: KnownClient,
  },
  pauseKnownClient: {
    method: 'POST',
    path: '/auth/known-clients/:clientId/pause',
    summary: 'Pause a world',
    description:
      'Within a second every call to it is refused with `paused`, by any key and on all instances; what is in flight ends as it would. Its event streams stay open and fall silent. A world that is paused already stays so.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    answer: KnownClient,
  },
  resumeKnownClient: {
    method: 'POST',
    path: '/auth/known-clients/:clientId/resume',
    summary: 'Lift the pause of a world',
    description:
      'The pause that was set in the relay. One that was set in the tabletop is lifted there, and `forbidden` tells of one that an administrator set.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    answer: KnownClient,
    problems: ['forbidden'],
  },
  serveKnownClientFrom: {
    method: 'POST',
    path: '/auth/known-clients/:clientId/serve',
    summary: 'Let a waiting browser serve a world',
    description:
      'It takes the place of the browser that serves, whose calls in flight end there. That one waits afterwards, where its module can. `unavailable` where the chosen one does not answer, or the other has served for less than five seconds.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed({ standbyId: id }),
    answer: KnownClient,
    problems: ['unavailable'],
  },
  deleteKnownClient: {
    method: 'DELETE',
    path: '/auth/known-clients/:clientId',
    summary: 'Delete a world',
    description: 'Unpairs its browsers. Keys bound to it alone reach nothing afterwards.',
    auth: 'session',
    origin: 'same',
    answer: nothing,
  },
  listListeners: {
    method: 'GET',
    path: '/auth/known-clients/:clientId/listeners',
    summary: 'Count who follows a world',
    description:
      'The open event streams of each channel, over all instances, as they were five seconds ago at most.',
    auth: 'session',
    origin: 'same',
    answer: Type.Object({
      items: Type.Array(
        Type.Object({
          channel: Type.Enum(channelNames, { description: 'One of them for each channel.' }),
          listeners: Type.Integer(),
        }),
      ),
    }),
    problems: ['unavailable'],
  },
  followKnownClients: {
    method: 'GET',
    path: '/auth/events',
    summary: 'Follow your worlds coming and going',
    description: 'Server-sent events: `connected` comes first.',
    auth: 'session',
    origin: 'same',
    answer: {
      events: accountEvents,
      description: 'The stream; it stays open.',
    },
    problems: ['rate_limited'],
    noHead: true,
  },
} as const satisfies Endpoints;

export type KnownClient = Static<typeof KnownClient>;
