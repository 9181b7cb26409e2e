import { isDownload, isEventStream, pathNames, problemsOf } from '@tabletop-relay/contract';
import type { Endpoint } from '@tabletop-relay/contract';
import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { problemResponses } from '../../calls/operation-schema.ts';

/** The schema of an endpoint's route: it is validated by it, and the OpenAPI document shows it. */
export function describeEndpoint(name: string, endpoint: Endpoint, tag: string): FastifySchema {
  const { summary, description, path, params = {}, headers, query, body } = endpoint;
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
    ...(body ? { body } : {}),
    response: { 200: answerOf(endpoint.answer), ...problemResponses(problemsOf(endpoint)) },
  };
}

function securityOf({ auth }: Endpoint): Pick<FastifySchema, 'security'> {
  if (auth === 'none') return {};
  return { security: [auth === 'apiKey' ? { apiKey: [] } : { session: [] }] };
}

function answerOf(answer: Endpoint['answer']): unknown {
  if (isDownload(answer)) {
    return { description: answer.description, content: { 'application/json': { schema: answer.schema } } };
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
  return answer;
}
