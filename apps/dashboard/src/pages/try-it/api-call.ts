import { placesOf } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';

/** One call as it goes over HTTP. */
export interface ApiCall {
  operation: Pick<Operation, 'name' | 'group' | 'sdkName' | 'method' | 'path' | 'parameters'>;
  clientId: string;
  /** By name; what is left out is not there. */
  parameters: Readonly<Record<string, unknown>>;
  userId: string | undefined;
}

/** Path with query, and the body of a POST: parameters in the body where they may be. */
export function requestOf({ operation, clientId, parameters, userId }: ApiCall) {
  const query = new URLSearchParams({ clientId });
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries({ ...parameters, ...(userId ? { userId } : {}) })) {
    const schema = operation.parameters[name] ?? {};
    const places = placesOf(operation as Operation, schema);
    if (places.includes('body')) body[name] = value;
    else query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const path = `${operation.path}?${query.toString()}`;
  return operation.method === 'GET' ? { path } : { path, body };
}
