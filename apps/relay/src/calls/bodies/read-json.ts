import type { FastifyInstance, FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { invalidFields, ProblemError } from '../../problem.ts';
import { announcesBody } from '../request-bytes.ts';

/** Reads a body as JSON. Rejects with the problem to answer; undefined for an empty body, whatever its type. */
export type ReadJson = (request: FastifyRequest, body: Buffer) => Promise<unknown>;

/**
 * Reads bodies of `application/json`. Where a key is taken, an object in JSON is read of other types too, because many
 * programs send it as text, as a form, or without a type. All else is 415.
 */
function createReadJson(app: FastifyInstance, { takesAnyText }: { takesAnyText: boolean }): ReadJson {
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
const isAnyText = (type: string): boolean =>
  type === '' || type === 'application/x-www-form-urlencoded' || type.startsWith('text/');

/** The media type that the headers name, without its parameters; empty where they name none. */
function mediaType(headers: IncomingHttpHeaders): string {
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

/** Calls `done` with the value, or with the failure. An empty text is no value and no failure. */
export type ParseJson = (
  request: Sender,
  json: string,
  done: (error: Error | null, value?: unknown) => void,
) => void;

/** Whose JSON it is. */
type Sender = Pick<FastifyRequest, 'principal'>;

const admissions = new WeakMap<object, AdmitJson>();

/** The bound on costly bodies is one for all parsers of a server. */
function admitOf(server: object): AdmitJson {
  const admit = admissions.get(server) ?? createAdmitJson();
  admissions.set(server, admit);
  return admit;
}

/** What bodies are parsed with, wherever they are read. May throw in place of calling `done`. */
export function createParseJson(app: FastifyInstance): ParseJson {
  const parse = app.getDefaultJsonParser('error', 'error');
  const admit = admitOf(app.server);
  return (request, json, done) => {
    // Many programs send `Content-Type: application/json` with nothing behind it.
    if (json === '') return done(null, undefined);
    admit(request, json);
    void parse(request as FastifyRequest, json, (error, value) =>
      done(error && isJson(json) ? forbiddenName() : error, value),
    );
  };
}

/** What is JSON and was refused all the same has a name that would change what objects are. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const forbiddenName = () =>
  invalidFields([
    {
      field: 'body',
      message: 'must not have the name `__proto__` in it, nor `constructor` with `prototype`',
    },
  ]);

/** What a shorter body holds is parsed in a few milliseconds, whatever it is. */
const cheapLength = 64 * 1024;

/** A scene of five thousand walls, the densest thing that is sent often, has half as many. So many are parsed within a short turn. */
const usual = { brackets: 50_000, names: 120_000 } as const;

/** An actor with many items has an object or a list for thirty to fifty characters, and a name for twenty. */
const charactersPer = { brackets: 24, names: 16 } as const;

/** One costly body of an account in so long, and one of all accounts: each may hold up the event loop for some tenths of a second. */
const everyMs = { account: 10_000, instance: 1_000 } as const;

/**
 * Whether JSON holds more objects and lists, or more names, than what is usually sent: 8 MiB of them hold up the event loop for
 * a second, where the same length of long texts takes a tenth of it. Those within texts count as well, because finding out
 * would take longer.
 */
export function isCostly(json: string): boolean {
  if (json.length <= cheapLength) return false;
  return holdsMore(json, ['{', '['], usual.brackets) || holdsMore(json, [':'], usual.names);
}

/** Whether no document is as dense: then it is refused, and not only put off. */
export function isTooDense(json: string): boolean {
  const { brackets, names } = charactersPer;
  return (
    holdsMore(json, ['{', '['], Math.max(usual.brackets, json.length / brackets)) ||
    holdsMore(json, [':'], Math.max(usual.names, json.length / names))
  );
}

function holdsMore(json: string, characters: readonly string[], most: number): boolean {
  let left = Math.floor(most);
  for (const character of characters)
    for (let at = json.indexOf(character); at !== -1; at = json.indexOf(character, at + 1))
      if (left-- === 0) return true;
  return false;
}

/** Throws the problem to answer for a body that may not be parsed, or not now. */
export type AdmitJson = (request: Sender, json: string) => void;

/** Lets costly bodies pass one after the other: an account's callers, and those of all, find the time between. */
export function createAdmitJson(now: () => number = () => performance.now()): AdmitJson {
  /** The accounts whose last costly body is not long ago, in the order of their bodies, and until when. */
  const accounts = new Map<string, number>();
  let freeAt = 0;

  return (request, json) => {
    if (!isCostly(json)) return;
    if (isTooDense(json)) throw tooDense();
    const { accountId } = request.principal;
    const at = now();
    for (const [account, until] of accounts) if (until <= at) accounts.delete(account);
    const waitMs = Math.max(freeAt - at, (accounts.get(accountId) ?? 0) - at);
    if (waitMs > 0) throw putOff(waitMs);
    freeAt = at + everyMs.instance;
    accounts.set(accountId, at + everyMs.account);
  };
}

const tooDense = () =>
  invalidFields([
    {
      field: 'body',
      message: 'must not hold so many objects, lists and names for its length: send it in parts',
    },
  ]);

const putOff = (waitMs: number) =>
  new ProblemError(
    'overloaded',
    `Of JSON with more than ${usual.brackets} objects and lists, or ${usual.names} names, an account may send one in ${everyMs.account / 1_000} s. Nothing was sent; repeat the call.`,
    { retryAfterS: waitMs / 1_000 },
  );

/** Bodies are JSON, or there is none. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const readJson = createReadJson(app, { takesAnyText: false });
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => await readJson(request, body),
  );
  app.addContentTypeParser('*', refuseOtherTypes);
  judgeBodies(app);
}

/** In this scope a JSON object is read of text, of a form and without a type, too. */
export function readAnyText(scope: FastifyInstance): void {
  const readJson = createReadJson(scope, { takesAnyText: true });
  scope.removeContentTypeParser('*');
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) =>
    isAnyText(mediaType(request.headers))
      ? await readJson(request, await readWhole(request))
      : await refuseOtherTypes(request, payload),
  );
}

/** An empty body needs no type, and its type does not matter. One that has a length is refused before it is read. */
async function refuseOtherTypes({ headers }: FastifyRequest, payload: IncomingMessage): Promise<undefined> {
  const problem = new ProblemError('unsupported_media_type');
  if (Number(headers['content-length'] ?? 0) > 0) throw problem;
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const refuse = () => reject(problem);
  const end = () => resolve(undefined);
  payload.on('data', refuse).on('error', reject).on('end', end);
  return await promise.finally(() => payload.off('data', refuse).off('error', reject).off('end', end));
}

/**
 * An empty body has no type. One with an encoding is refused: what is sent compressed would be stored compressed, and
 * unpacking it would take more memory than any limit says.
 */
function judgeBodies(app: FastifyInstance): void {
  app.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    if (!announcesBody(headers)) {
      // Fastify would look at it, and some types are none.
      delete headers['content-type'];
      return done(null, payload);
    }
    const named = encodingOf(headers);
    if (named === undefined) return done(null, payload);
    done(new ProblemError('unsupported_media_type', `A body is taken as it is: send it without ${named}.`));
  });
}

/** The header by which a body is encoded. Node takes the chunks of `gzip, chunked` apart and leaves the rest as it is. */
function encodingOf(headers: IncomingHttpHeaders): string | undefined {
  const { 'content-encoding': content = '', 'transfer-encoding': transfer = 'chunked' } = headers;
  if (!/^\s*(?:identity)?\s*$/i.test(content)) return '`Content-Encoding`';
  return /^\s*chunked\s*$/i.test(transfer) ? undefined : 'another `Transfer-Encoding` than `chunked`';
}

/**
 * Reads the body of a GET as that of any other method: Fastify hands the method on without it. A program that puts `userId`
 * there would otherwise act with the game master's rights and never know.
 */
export function readGetBodies(app: FastifyInstance): preValidationAsyncHookHandler {
  const readJson = createReadJson(app, { takesAnyText: true });
  return async function readGetBody(request) {
    if (!announcesBody(request.headers)) return;
    const value = await readJson(request, await readWhole(request));
    if (value !== undefined) request.body = value;
  };
}

/** Rejects with `payload_too_large` above the limit of the route, and reads no more then. */
async function readWhole({ raw, headers, routeOptions }: FastifyRequest): Promise<Buffer> {
  let left = routeOptions.bodyLimit;
  if (Number(headers['content-length'] ?? 0) > left) throw new ProblemError('payload_too_large');
  const chunks: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) return reject(new ProblemError('payload_too_large'));
    chunks.push(chunk);
  };
  // Also where the bound on half-sent bodies gives this one up.
  raw.on('error', reject);
  raw.on('end', resolve);
  raw.on('data', take);
  try {
    await promise;
  } finally {
    raw.off('data', take).off('end', resolve).off('error', reject);
  }
  return Buffer.concat(chunks);
}
