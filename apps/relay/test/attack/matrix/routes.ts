import type { FastifySchema, RouteOptions } from 'fastify';

/** JSON Schema as far as the attack reads it. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  description?: string;
  examples?: unknown[];
}

/** A route as the running server has it; plain data, so that a process can tell another. */
export interface AttackedRoute {
  method: string;
  /** With `:name` and `*` in it. */
  pattern: string;
  /** What opens it; null: nothing is needed. */
  needs: 'session' | 'apiKey' | null;
  /** Its failures have the shape of OAuth's standards. */
  speaksOAuth: boolean;
  /** A disabled account may still use it. */
  openToDisabled: boolean;
  /** Statuses that the document names, also as `2xx`; undefined where the document leaves the route out. */
  documented: string[] | undefined;
  path: Schema | undefined;
  body: Schema | undefined;
  query: Schema | undefined;
  /** Headers without which no request is looked at. */
  headers: [string, string][];
}

/** Collects a server's routes while it is made: give `onRoute` to it, and read `routes` when it listens. */
export function collectRoutes(): { onRoute(route: RouteOptions): void; routes(): AttackedRoute[] } {
  const seen: RouteOptions[] = [];
  return {
    onRoute: (route) => void seen.push(route),
    // Only now: the hooks that write the schemas run after ours.
    routes: () => seen.flatMap((route) => [route.method].flat().map((method) => describe(method, route))),
  };
}

function describe(method: string, route: RouteOptions): AttackedRoute {
  const schema: FastifySchema = route.config?.openApi ?? route.schema ?? {};
  const isHidden = schema.hide === true || schema.response === undefined;
  const [needs] = (schema.security ?? []).flatMap((entry) => Object.keys(entry));
  return {
    method,
    pattern: route.url,
    needs: needs === 'session' || needs === 'apiKey' ? needs : null,
    speaksOAuth: route.config?.speaksOAuth === true,
    openToDisabled: route.config?.openToDisabled === true,
    documented: isHidden ? undefined : Object.keys(schema.response as object),
    path: plain(schema.params),
    body: plain(jsonOf(schema.body)),
    query: plain(schema.querystring),
    headers: Object.entries(plain(schema.headers)?.properties ?? {}).flatMap(([name, { const: value }]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    ),
  };
}

/** The schema of a JSON body, where the document names several types. */
function jsonOf(body: unknown): unknown {
  const { content } = (body ?? {}) as { content?: Record<string, { schema: unknown }> };
  return content?.['application/json']?.schema ?? body;
}

const plain = (schema: unknown): Schema | undefined =>
  schema === undefined ? undefined : (JSON.parse(JSON.stringify(schema)) as Schema);

/** The names in a pattern, `*` among them. */
export function parametersOf(pattern: string): string[] {
  return pattern
    .split('/')
    .filter((part) => part.startsWith(':') || part === '*')
    .map((part) => part.replace(':', ''));
}

/** The path with each parameter replaced by what `valueOf` gives, as it stands. */
export function fill(pattern: string, valueOf: (name: string) => string): string {
  return pattern
    .split('/')
    .map((part) => (part.startsWith(':') ? valueOf(part.slice(1)) : part === '*' ? valueOf('*') : part))
    .join('/');
}

/** Whether a path of `pattern` can be one of `other` too: `/a/b` is one of `/a/:id`. */
export function mayMatch(other: string, pattern: string): boolean {
  const parts = pattern.split('/');
  const others = other.split('/');
  const isOpen = (part: string | undefined) => part === undefined || part.startsWith(':') || part === '*';
  if (!other.includes('*') && others.length !== parts.length) return false;
  return others.every((part, index) => part === parts[index] || isOpen(part) || isOpen(parts[index]));
}
