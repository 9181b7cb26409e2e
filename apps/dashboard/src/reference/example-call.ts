import type { CodeCall } from '../pages/try-it/code/code.ts';
import { answerOf, credentialOf } from './document.ts';
import type { Entry, Schema } from './document.ts';
import { sampleOf } from './schema-fields.ts';

/** Where the example calls: a world of the reader's, or a word that stands for one. */
interface ExampleOptions {
  clientId: string;
  schemas: Readonly<Record<string, Schema>>;
}

/** The call of an entry with its example, or with values that fit where it has none. */
export function exampleCall(entry: Entry, { clientId, schemas }: ExampleOptions): CodeCall {
  const { method, parameters = [], requestBody } = entry;
  const query = new URLSearchParams();
  const given: Record<string, unknown> = {};
  let path = entry.path;
  for (const { name, in: place, required, example, schema = {} } of parameters) {
    const value = example ?? (required ? sampleOf(schema, schemas) : undefined);
    if (place === 'query' && name === 'clientId') query.set(name, clientId);
    else if (value !== undefined && place === 'query') query.set(name, textOf(value));
    else if (place === 'path')
      path = path.replace(`{${name}}`, value === '…' ? `<${name}>` : encodeURIComponent(textOf(value)));
    if (value !== undefined && place !== 'header') given[name] = value;
  }
  const body = bodyOf(requestBody, schemas);
  const sdkMethod = entry['x-sdk-method'];
  return {
    method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    ...(body ? { body } : {}),
    answers: answerOf(entry).answers,
    credential: credentialOf(entry),
    ...(sdkMethod ? { sdk: { method: sdkMethod, clientId, parameters: { ...given, ...body } } } : {}),
  };
}

function bodyOf(
  requestBody: Entry['requestBody'],
  schemas: ExampleOptions['schemas'],
): Record<string, unknown> | undefined {
  const json = requestBody?.content['application/json'];
  if (!json) return undefined;
  return (json.example ?? sampleOf(json.schema ?? {}, schemas)) as Record<string, unknown>;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
