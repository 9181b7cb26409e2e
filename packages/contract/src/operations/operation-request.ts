import type { CallForm } from './call-form.ts';
import { canStandInPath, pathNames, urlText } from '../path.ts';

/** One call of an operation, as a program asks for it. */
export interface OperationCall {
  form: CallForm;
  /** By callers' names. What is undefined is left out. */
  parameters: object;
  clientId?: string | undefined;
  /** May stand among the parameters instead. */
  userId?: string | undefined;
}

/** The HTTP request of a call. */
export interface OperationRequest {
  method: string;
  /** Path and query string, all parts encoded. */
  path: string;
  /** Fields of a JSON body. */
  body?: Record<string, unknown>;
  /** The raw body, in place of a JSON body. */
  bytes?: Uint8Array | Blob;
}

/**
 * Builds the request of a call. Parameters go into the body where they may, but those of a DELETE and those beside a
 * raw body go into the query: some proxies drop the body of a DELETE. Throws a `RangeError` for a value that cannot
 * stand in a path, such as an empty one, and for two users that differ.
 */
export function operationRequest({ form, parameters, clientId, userId }: OperationCall): OperationRequest {
  const { method, inQuery, inBody } = form;
  const inPath = pathNames(form.path);
  const given: Record<string, unknown> = { ...parameters };
  putUser(given, userId);
  const bytes = takeBytes(given, form.rawBody);
  const usual = method === 'GET' || method === 'DELETE' || bytes ? 'query' : 'body';
  const query = new URLSearchParams(clientId === undefined ? {} : { clientId });
  const body: Record<string, unknown> = {};
  let { path } = form;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (inPath.includes(name)) path = path.replace(partOf(name), () => encodePart(name, urlText(value)));
    else if (inQuery?.includes(name) || (usual === 'query' && !inBody?.includes(name)))
      query.set(name, urlText(value));
    else body[name] = value;
  }
  const left = inPath.find((name) => given[name] === undefined);
  if (left) throw new RangeError(`${left} stands in the path and must be given`);
  const request = { method, path: query.size > 0 ? `${path}?${query.toString()}` : path };
  if (bytes) return { ...request, bytes };
  const needsBody = method === 'DELETE' ? Object.keys(body).length > 0 : method !== 'GET';
  return needsBody ? { ...request, body } : request;
}

/** A call without a user has the game master's rights, so that no user who was given may be lost. */
function putUser(given: Record<string, unknown>, userId: string | undefined): void {
  if (userId === undefined) return;
  if (given['userId'] !== undefined && given['userId'] !== userId) {
    throw new RangeError('userId stands among the parameters and beside them, and the two differ');
  }
  given['userId'] = userId;
}

function encodePart(name: string, text: string): string {
  if (!canStandInPath(text)) throw new RangeError(`${name} stands in the path and cannot be '${text}'`);
  return encodeURIComponent(text);
}

const partOf = (name: string): RegExp => new RegExp(`:${name}(?!\\w)`);

/** Takes the parameter that is to be the raw body out of what was given, where it was given as bytes. */
function takeBytes(
  given: Record<string, unknown>,
  rawBody: string | undefined,
): Uint8Array | Blob | undefined {
  if (rawBody === undefined) return undefined;
  const value = given[rawBody];
  if (!(value instanceof Uint8Array) && !(value instanceof Blob)) return undefined;
  delete given[rawBody];
  return value;
}
