import type { Method } from './operation-definition.ts';
import { placesOf } from './operation.ts';
import type { Operation } from './operation.ts';

/** What a program must know of an operation to ask for it: no schemas, so that it can be loaded by a page. */
export interface CallForm {
  method: Method;
  /** `:name` stands for one part. */
  path: string;
  /** Parameters that only the query takes. */
  inQuery?: readonly string[];
  /** Parameters that only the body takes. */
  inBody?: readonly string[];
  /** The parameter that may be the raw body. */
  rawBody?: string;
}

/** The form of an operation, without the places that follow from its method. */
export function callFormOf(
  operation: Pick<Operation, 'method' | 'path' | 'parameters' | 'bodyBytes'>,
): CallForm {
  const { method, path, parameters, bodyBytes } = operation;
  const only = (place: 'query' | 'body') =>
    Object.keys(parameters).filter((name) => {
      const places = placesOf(operation, name);
      return places.length === 1 && places[0] === place;
    });
  const inQuery = method === 'GET' ? [] : only('query');
  const inBody = method === 'DELETE' || bodyBytes ? only('body') : [];
  return {
    method,
    path,
    ...(inQuery.length > 0 ? { inQuery } : {}),
    ...(inBody.length > 0 ? { inBody } : {}),
    ...(bodyBytes ? { rawBody: bodyBytes.parameter } : {}),
  };
}
