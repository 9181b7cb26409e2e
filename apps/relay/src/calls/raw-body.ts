import type { BodyBytes } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';

/** Makes the routes of a scope accept raw bodies of any type beside JSON. */
export function acceptRawBodies(scope: FastifyInstance, { maxBytes }: BodyBytes): void {
  scope.removeContentTypeParser('*');
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (request.headers['content-type']?.startsWith('multipart/'))
      return done(new ProblemError('unsupported_media_type', 'Send the file itself as the body.'));
    if (body.length > maxBytes) return done(new ProblemError('payload_too_large', tooLarge(maxBytes)));
    done(null, body);
  });
}

/** The body from which parameters are read. A raw body becomes an object with the parameter that holds the file as text. */
export function readBody(
  { body, query, headers }: FastifyRequest,
  bodyBytes: BodyBytes | undefined,
): unknown {
  if (!bodyBytes || !Buffer.isBuffer(body)) return body;
  const { parameter, encoding, contentType } = bodyBytes;
  const type = typeOf(headers['content-type']);
  const base64 = body.toString('base64');
  const isTypeGiven = contentType === undefined || Object.hasOwn(query as object, contentType);
  return {
    [parameter]: encoding === 'data-url' ? `data:${type};base64,${base64}` : base64,
    ...(isTypeGiven ? {} : { [contentType]: type }),
  };
}

/** The media type without its parameters. */
function typeOf(header: string | undefined): string {
  const [type = ''] = (header ?? '').split(';', 1);
  return /^[\w.+-]+\/[\w.+-]+$/.test(type.trim()) ? type.trim().toLowerCase() : 'application/octet-stream';
}

const tooLarge = (maxBytes: number): string => `The file is larger than ${maxBytes} bytes.`;
