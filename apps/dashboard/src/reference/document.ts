/** The part of JSON Schema that the relay's document uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  description?: string;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Readonly<Record<string, unknown>>;
}

/** One call as the document describes it. */
export interface Described {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly (Media & { name: string; in: string; required?: boolean; description?: string })[];
  requestBody?: { required?: boolean; content: Readonly<Record<string, Media>> };
  responses: Readonly<Record<string, { description: string; content?: Readonly<Record<string, Media>> }>>;
  'x-sdk-method'?: string;
  'x-scope'?: string;
  'x-kind'?: 'query' | 'command';
  'x-timeout-ms'?: number;
}

/** The part of the relay's OpenAPI document that the reference shows. */
export interface ApiDocument {
  info: { version: string; description: string };
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  tags: readonly { name: string; description: string }[];
  'x-tagGroups': readonly { name: string; tags: readonly string[] }[];
  components: {
    schemas: Readonly<Record<string, Schema>>;
    examples: Readonly<Record<string, { summary: string }>>;
  };
}

/** A call with its address. */
export interface Entry extends Described {
  method: string;
  path: string;
}

/** Calls of one subject. */
export interface EntryGroup {
  tag: string;
  title: string;
  entries: readonly Entry[];
}

/** Groups that the same readers want. */
export interface Section {
  name: string;
  groups: readonly EntryGroup[];
}

/** Everything in the order in which the document lists its tags. */
export function sectionsOf(document: ApiDocument): Section[] {
  const entries = entriesOf(document);
  return document['x-tagGroups'].map(({ name, tags }) => ({
    name,
    groups: tags
      .map((tag) => ({
        tag,
        title: document.tags.find((one) => one.name === tag)?.description ?? tag,
        entries: entries.filter((entry) => entry.tags.includes(tag)),
      }))
      .filter((group) => group.entries.length > 0),
  }));
}

function entriesOf({ paths }: ApiDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** Authentication of a call. A stream takes a ticket too, but the reference shows a key. */
export function credentialOf({ security = [] }: Described): 'apiKey' | 'session' | 'none' {
  const [first = {}] = security;
  if ('apiKey' in first) return 'apiKey';
  return 'session' in first ? 'session' : 'none';
}

/** The answer of a call when all is well. */
export function answerOf({ responses }: Described) {
  const { description = '', content = {} } = responses['200'] ?? {};
  const json = content['application/json'];
  const answers = 'text/event-stream' in content ? 'events' : '*/*' in content ? 'file' : 'json';
  return { description, answers, schema: json?.schema, example: json?.example } as const;
}

/** The codes that a call may fail with, under their statuses. */
export function problemsOf({ responses }: Described): { status: string; codes: string[] }[] {
  return Object.entries(responses)
    .filter(([status]) => status !== '200')
    .map(([status, { content = {} }]) => ({
      status,
      codes: Object.keys(content['application/problem+json']?.examples ?? {}),
    }));
}
