import type { BodyBytes } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isNarrowing } from '@tabletop-relay/contract';
import { invalidFields, ProblemError } from '../../problem.ts';
import { createParseJson, checkUtf8 } from '../bodies/read-json.ts';
import { readForm, tooLarge } from './form-body.ts';
import type { FormBody } from './form-body.ts';
import { parseJsonWithFile } from './json-with-file.ts';

/** Makes the routes of a scope accept raw bodies of any type, and forms with one file, beside JSON. */
export function acceptRawBodies(scope: FastifyInstance, { maxBytes }: BodyBytes): void {
  readJsonWithFiles(scope);
  scope.removeContentTypeParser('*');
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: unknown) => {
    if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
    const contentType = request.headers['content-type'] ?? '';
    if (/^multipart\/form-data\b/i.test(contentType))
      return new SentFile(await readForm(contentType, body, maxBytes));
    if (/^multipart\//i.test(contentType)) throw new ProblemError('unsupported_media_type');
    if (body.length > maxBytes) throw new ProblemError('payload_too_large', tooLarge(maxBytes));
    return new SentFile({ bytes: body, contentType, fileName: undefined, fields: {} });
  });
}

function readJsonWithFiles(scope: FastifyInstance): void {
  const parse = createParseJson(scope);
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      checkUtf8(request.headers, body);
      const parsed = (json: string) =>
        new Promise((resolve, reject) =>
          parse(request, json, (error, value) => (error ? reject(error) : resolve(value))),
        );
      return await parseJsonWithFile(body, parsed);
    },
  );
}

/** A body that is a file: nothing that JSON can be. */
class SentFile {
  readonly file: FormBody;

  constructor(file: FormBody) {
    this.file = file;
  }
}

/**
 * The query and the body from which parameters are read. A file becomes text in the parameter that holds it, and the other
 * fields of a form count as if they stood in the query. The request lets go of the file: a call can wait for long.
 */
export function readSources(
  request: FastifyRequest,
  bodyBytes: BodyBytes,
): { query: unknown; body: unknown } {
  const { query, body } = request;
  if (!(body instanceof SentFile)) return { query, body };
  request.body = undefined;
  const { parameter, encoding, contentType, fileName } = bodyBytes;
  const { file } = body;
  refuseDifferentUsers(file.fields, query as Fields);
  const given = { ...file.fields, ...(query as Fields) };
  const type = typeOf(file.contentType);
  const text = file.bytes.toString('base64');
  const told: Record<string, string> = {};
  if (contentType !== undefined && !Object.hasOwn(given, contentType)) told[contentType] = type;
  if (fileName !== undefined && file.fileName && !Object.hasOwn(given, fileName))
    told[fileName] = file.fileName;
  return {
    query: given,
    body: { ...told, [parameter]: encoding === 'data-url' ? `data:${type};base64,${text}` : text },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** What narrows a call is never the one of two that is left out. */
function refuseDifferentUsers(fields: Fields, query: Fields): void {
  for (const name of Object.keys(fields))
    if (isNarrowing(name) && Object.hasOwn(query, name) && fields[name] !== query[name])
      throw invalidFields([
        { field: name, message: 'stands in the form and in the query, and the two differ' },
      ]);
}

/** The media type without its parameters. */
function typeOf(header: string): string {
  const [type = ''] = header.split(';', 1);
  return /^[\w.+-]+\/[\w.+-]+$/.test(type.trim()) ? type.trim().toLowerCase() : 'application/octet-stream';
}
