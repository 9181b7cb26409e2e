import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { invalidFields, ProblemError } from '../../problem.ts';
import { createParseJson } from './parse-json.ts';

/** Reads a body as JSON. Rejects with the problem to answer; undefined for an empty body, whatever its type. */
export type ReadJson = (request: FastifyRequest, body: Buffer) => Promise<unknown>;

/**
 * Reads bodies of `application/json`. Where a key is taken, an object in JSON is read of other types too, because many
 * programs send it as text, as a form, or without a type. All else is 415.
 */
export function createReadJson(app: FastifyInstance, { takesAnyText }: { takesAnyText: boolean }): ReadJson {
  const parse = createParseJson(app);
  return async (request, body) => {
    if (body.length === 0) return undefined;
    const type = mediaType(request.headers);
    const isJson = type === 'application/json';
    if (!isJson && !(takesAnyText && isAnyText(type))) throw new ProblemError('unsupported_media_type');
    const text = decode(request.headers, body);
    if (!isJson && !/^\uFEFF?\s*\{/.test(text)) throw new ProblemError('unsupported_media_type');
    return await new Promise((resolve, reject) =>
      parse(request, text, (error, value) => (error ? reject(error) : resolve(value))),
    );
  };
}

/** A type whose body may be a JSON object all the same. */
export const isAnyText = (type: string): boolean =>
  type === '' || type === 'application/x-www-form-urlencoded' || type.startsWith('text/');

/** The media type that the headers name, without its parameters; empty where they name none. */
export function mediaType(headers: IncomingHttpHeaders): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/** The text of a body. Refuses other encodings: letters would be lost, and nobody would know before they are read again. */
function decode(headers: IncomingHttpHeaders, body: Buffer): string {
  checkUtf8(headers, body);
  return body.toString();
}

export function checkUtf8(headers: IncomingHttpHeaders, body: Buffer): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw invalidFields([
      { field: 'content-type', message: 'must not name another charset than utf-8: send the body as UTF-8' },
    ]);
  if (!isUtf8(body))
    throw invalidFields([{ field: 'body', message: 'must be text in UTF-8: encode it anew' }]);
}
