import { clientIdParameter, filterSchemas, streamEvents } from '@tabletop-relay/contract';
import type { ChannelDefinition, ErrorCode } from '@tabletop-relay/contract';
import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { clientIdHeader, problemResponses } from '../calls/operation-schema.ts';

/** The failures that a stream may be answered with before it opens. */
const problems: readonly ErrorCode[] = [
  'invalid_request', 'client_required', 'key_missing', 'key_invalid', 'key_expired', 'scope_missing',
  'rotation_required', 'account_disabled', 'paused', 'acting_user_unchecked', 'client_not_found', 'rate_limited', 'monthly_limit_reached', 'unavailable',
]; // prettier-ignore

const extensions: object = { 'x-scope': 'events:subscribe' };

/** The entry of a channel's stream in the OpenAPI document. */
export function streamSchema(name: string, channel: ChannelDefinition): FastifySchema {
  const { summary, description, filters } = channel;
  return {
    operationId: `follow-${name}`,
    tags: ['events'],
    summary,
    description: [description, 'Server-sent events. The stream stays open. Scope: `events:subscribe`.']
      .filter(Boolean)
      .join('\n\n'),
    security: [{ apiKey: [] }, {}],
    querystring: Type.Object({
      clientId: clientIdParameter,
      ticket: Type.Optional(
        Type.String({
          description: 'From `POST /events/tickets`, in place of the key and of everything else here.',
        }),
      ),
      ...filterSchemas(filters),
      lastEventId: Type.Optional(
        Type.String({
          description:
            'What the header `Last-Event-ID` says, for who cannot send it. `Last-Event-ID` is read here too.',
        }),
      ),
    }),
    headers: Type.Object({
      ...clientIdHeader.properties,
      'last-event-id': Type.Optional(
        Type.String({
          description: 'The id of the last event that was received: what came since is sent first.',
        }),
      ),
    }),
    response: {
      200: {
        description: listEvents(channel),
        content: { 'text/event-stream': { schema: Type.String() } },
      },
      ...problemResponses(problems),
    },
    ...extensions,
  };
}

function listEvents({ events }: ChannelDefinition): string {
  const own = Object.entries(streamEvents).map(([event, { meaning }]) => [event, meaning]);
  const lines = [...own, ...Object.entries(events)].map(([event, meaning]) => `- \`${event}\`: ${meaning}`);
  return `The stream. Each event has an id, a name and data in JSON.\n\n${lines.join('\n')}`;
}
