import { endpoints, isDownload, isEventStream } from '@tabletop-relay/contract';
import type { Endpoint } from '@tabletop-relay/contract';
import { fieldsOf, interfaceText, objectText, typeText, typesFile, union } from './type-text.ts';
import type { Field, TypedSchema } from './type-text.ts';

/** `packages/contract/src/types/endpoints.ts`. */
export function endpointTypes(): string {
  const fields = callableEndpoints().map(([name, endpoint]) => ({
    name,
    type: endpointType(endpoint),
    description: `${endpoint.summary}.`,
  }));
  const says = 'The fields that each endpoint of the account API takes, and its answer.';
  return typesFile('packages/contract/src/endpoints', interfaceText('EndpointTypes', says, fields));
}

/** Every endpoint that a client has a method for: an event stream has no answer that could be awaited. */
export const callableEndpoints = (): [string, Endpoint][] =>
  Object.entries<Endpoint>(endpoints).filter(([, { answer, speaks }]) => !isEventStream(answer) && !speaks);

/** Fields and answer of one endpoint. */
export function endpointType(endpoint: Endpoint): string {
  return objectText([
    { name: 'fields', type: objectText(givenFields(endpoint)) },
    { name: 'answer', type: answerType(endpoint) },
  ]);
}

/** Texts of the path, then those of query or body. A field that may be absent may also be undefined: it is left out. */
export function givenFields({ path, query, body }: Endpoint): Field[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({ name, type: 'string' }));
  const given = [query, body].flatMap((schema) => (schema ? fieldsOf(schema as TypedSchema) : []));
  return [
    ...inPath,
    ...given.map((field) =>
      field.isOptional ? { ...field, type: union([field.type, 'undefined']) } : field,
    ),
  ];
}

const answerType = ({ answer }: Endpoint): string =>
  isEventStream(answer) ? 'never' : typeText(isDownload(answer) ? answer.schema : answer);
