import { placesOf } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';

export interface Addressing {
  clientId: string | undefined;
  userId: string | undefined;
}

/** The path with its query string, and the body, of an operation's call: parameters in the body where they may be. */
export function operationRequest(operation: Operation, parameters: object, { clientId, userId }: Addressing) {
  const query = new URLSearchParams();
  if (clientId !== undefined) query.set('clientId', clientId);
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries({ ...parameters, userId })) {
    if (value === undefined) continue;
    const schema = operation.parameters[name] ?? {};
    if (placesOf(operation, schema).includes('body')) body[name] = value;
    else query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const path = query.size > 0 ? `${operation.path}?${query.toString()}` : operation.path;
  return operation.method === 'GET' ? { path } : { path, body };
}
