import {
  OAuthError,
  isDownload,
  isEventStream,
  isRedirect,
  oauthErrors,
  pathNames,
  problemsOf,
} from '@tabletop-relay/contract';
import type { Endpoint } from '@tabletop-relay/contract';
import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { problemResponses, schemaName } from '../../calls/operation-schema.ts';

/** All instances of a process share them, and with them what the validator has compiled. */
const described = new WeakMap<Endpoint, FastifySchema>();

/** The schema of an endpoint's route: it is validated by it, and the OpenAPI document shows it. */
export function describeEndpoint(name: string, endpoint: Endpoint, tag: string): FastifySchema {
  const known = described.get(endpoint);
  if (known) return known;
  const schema = describe(name, endpoint, tag);
  described.set(endpoint, schema);
  return schema;
}

function describe(name: string, endpoint: Endpoint, tag: string): FastifySchema {
  const { summary, description, path, params = {}, headers, query, body, scope } = endpoint;
  const texts = pathNames(path).map((text) => [text, params[text] ?? Type.String()]);
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...securityOf(endpoint),
    ...(texts.length > 0 ? { params: Type.Object(Object.fromEntries(texts)) } : {}),
    ...(headers ? { headers } : {}),
    ...(query ? { querystring: query } : {}),
    ...(body ? { body: { title: `${schemaName(name)}Body`, ...body } } : {}),
    ...(endpoint.form && { consumes: ['application/x-www-form-urlencoded'] }),
    response: { [statusOf(endpoint)]: answerOf(name, endpoint.answer), ...failuresOf(endpoint) },
    ...(scope ? { 'x-scope': scope } : {}),
  };
}

const statusOf = ({ answer, status }: Endpoint): number => (isRedirect(answer) ? 303 : (status ?? 200));

function failuresOf(endpoint: Endpoint): Record<number, unknown> {
  if (endpoint.speaks !== 'oauth') return problemResponses(problemsOf(endpoint));
  if (isRedirect(endpoint.answer)) return {};
  const byStatus = Map.groupBy(Object.entries(oauthErrors), ([, { status }]) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        ...OAuthError,
        'x-response-description': ofStatus
          .map(([code, { description }]) => `\`${code}\`: ${description}`)
          .join(' '),
      },
    ]),
  );
}

function securityOf({ auth }: Endpoint): Pick<FastifySchema, 'security'> {
  if (auth === 'none') return {};
  return { security: [auth === 'apiKey' ? { apiKey: [] } : { session: [] }] };
}

function answerOf(name: string, answer: Endpoint['answer']): unknown {
  const title = `${schemaName(name)}Answer`;
  if (isRedirect(answer))
    return {
      description: answer.leadsTo,
      headers: { location: { type: 'string', description: answer.leadsTo } },
      type: 'null',
    };
  if (isDownload(answer)) {
    return {
      description: answer.description,
      headers: {
        'content-disposition': { type: 'string', description: `Proposes the file name ${answer.download}.` },
      },
      content: { 'application/json': { schema: { title, ...answer.schema } } },
    };
  }
  if (isEventStream(answer)) {
    const events = Object.entries(answer.events).map(([event, { meaning, data }]) => {
      const fields = Object.keys(data).map((field) => `\`${field}\``);
      return `- \`${event}\`${fields.length > 0 ? ` with ${fields.join(', ')}` : ''}: ${meaning}`;
    });
    return {
      description: `${answer.description}\n\n${events.join('\n')}`,
      content: { 'text/event-stream': { schema: Type.String() } },
    };
  }
  return { title, ...answer, 'x-response-description': tellAnswer(answer) };
}

/** The answer in a sentence: a schema’s own words, or else its fields. */
function tellAnswer(answer: TSchema): string {
  const { description, properties = {} } = answer as { description?: string; properties?: object };
  if (description) return description;
  const fields = Object.keys(properties).map((field) => `\`${field}\``);
  if (fields.length === 0) return 'It is done. The answer is an empty object.';
  if ('nextCursor' in properties) return 'One page of the list, newest first.';
  return `It is done. The answer has ${fields.join(', ')}.`;
}
