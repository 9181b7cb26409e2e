import { Type } from 'typebox';
import { channels } from '../events/channels.ts';
import type { Endpoints } from './endpoint.ts';
import { closed } from './fields.ts';

const paths = Object.values(channels).map(({ path }) => path);

export const eventEndpoints = {
  createStreamTicket: {
    method: 'POST',
    path: '/events/tickets',
    summary: 'Make a ticket for an event stream',
    description:
      'For the EventSource of a browser, which cannot send a header. The ticket stands in the address in place of the key, opens one stream within a minute, and nothing afterwards: a reconnect is let in only with a `Last-Event-ID` of its own stream, for as long as the key lives and the stream was away less than five minutes.',
    auth: 'apiKey',
    scope: 'events:subscribe',
    origin: 'any',
    limit: 'streamTickets',
    body: closed({
      path: Type.Enum(paths, { description: 'The stream.' }),
      query: Type.Optional(
        Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 4_096 }), {
          maxProperties: 20,
          description: 'Its query: `clientId`, filters, and `lastEventId` to resume from.',
        }),
      ),
    }),
    answer: Type.Object({
      ticket: Type.String(),
      url: Type.String({ description: 'The address to open, with the ticket in it.' }),
      expiresIn: Type.Integer({ description: 'Seconds in which it must be opened.' }),
    }),
    problems: ['client_required', 'client_not_found'],
  },
} as const satisfies Endpoints;
