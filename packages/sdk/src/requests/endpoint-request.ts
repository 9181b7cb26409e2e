import { canStandInPath, pathNames, urlText } from '@tabletop-relay/contract';
import { RelayError } from './relay-error.ts';

export interface EndpointRequest {
  method: string;
  /** With its query string. */
  path: string;
  body?: object;
}

/**
 * The request to an endpoint by its address, `GET /auth/sessions/:id`: fields that the path names go into it, all others
 * into the query of a GET, or where the address ends with `?`, and else into the body. Fields that are undefined are
 * left out.
 */
export function endpointRequest(address: string, fields: object = {}): EndpointRequest {
  const [method = '', named = ''] = address.split(' ');
  const pattern = named.replace(/\?$/, '');
  const names = new Set(pathNames(pattern));
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const values = new Map(given);
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => pathPart(values.get(name)));
  const rest = given.filter(([name]) => !names.has(name));
  if (rest.length === 0) return { method, path };
  if (method !== 'GET' && pattern === named) return { method, path, body: Object.fromEntries(rest) };
  const query = new URLSearchParams(rest.map(([name, value]) => [name, urlText(value)]));
  return { method, path: `${path}?${query.toString()}` };
}

/** An id or a code as one part of a path. */
function pathPart(value: unknown): string {
  if (canStandInPath(value)) return encodeURIComponent(urlText(value));
  throw new RelayError({ code: 'not_found', detail: `Nothing can have ${JSON.stringify(value)} as its id.` });
}
