import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { ClientRecord, Operation } from '@tabletop-relay/contract';
import { ownTools } from '@tabletop-relay/contract';
import { toPlainText } from '@tabletop-relay/kit';
import type { Logger } from 'pino';
import { isCostly } from '../calls/bodies/read-json.ts';
import { readResultFile } from '../calls/files/result-file.ts';
import type { ResultFile } from '../calls/files/result-file.ts';
import { readClientId } from '../calls/choose-client.ts';
import { authorize } from '../keys/authenticate.ts';
import { invalidFields, ProblemError } from '../problem.ts';
import type { ReadRecent, RecentCaller } from '../streams/recent-events.ts';
import { frame, maxCharacters, writeAnswer } from './answer-text.ts';
import { entryOf } from './catalog.ts';
import type { Catalog, Offer } from './catalog.ts';
import type { Confirmation } from './confirmation.ts';
import { failure, failureOf } from './failures.ts';
import { leavesEvents, leftOut } from './narrowing.ts';

/** One request of an assistant. */
export interface Session extends Offer, RecentCaller {
  /** Carries out a call of an operation as this caller, if the key and the address leave it. Rejects with the problem to tell. */
  carryOut(call: {
    operation: Operation;
    payload: object;
    world: string | undefined;
    idempotencyKey: string | undefined;
    signal: AbortSignal;
  }): Promise<{ body: Buffer; isReplay: boolean; ignored: string }>;
  /** The worlds that the caller reaches. */
  listWorlds(): Promise<ClientRecord[]>;
  readRecent: ReadRecent;
}

type Result = CallToolResult | InputRequiredResult;
type Arguments = Readonly<Record<string, unknown>>;

export interface CallToolDeps {
  log: Logger;
  catalog: Catalog;
  confirmation: Confirmation;
}

/** Answers `tools/call`. What a call meets is told in its result, so that the model reads it. */
export function createCallTool({ catalog, confirmation, log }: CallToolDeps) {
  return async function callTool(
    session: Session,
    { name, arguments: given = {} }: { name: string; arguments?: Arguments | undefined },
    context: ServerContext,
  ): Promise<Result> {
    const direct = catalog.find(name);
    if (!direct && !isOwn(name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
    let kind = direct?.kind;
    try {
      if (name === 'worlds') return await tellWorlds(session, catalog);
      if (name === 'find_operations') return findOperations(session, catalog, given);
      if (name === 'recent_events') return await tellEvents(session, given, context.mcpReq.signal);
      const asked = direct ? { ...readDirect(given), operation: direct } : readCall(catalog, given);
      ({ kind } = asked.operation);
      return await call(session, asked, context);
    } catch (error) {
      if (!(error instanceof ProblemError)) log.error({ err: error, tool: name }, 'a tool failed');
      return failureOf(error, kind);
    }
  };

  async function call(session: Session, asked: AskedCall, context: ServerContext): Promise<Result> {
    const { operation, payload, only } = asked;
    const world = readClientId({ clientId: asked.world }, payload, undefined);
    // What is refused anyway is asked of nobody.
    const isAsked = operation.effect === 'destroys' && catalog.offers(session, operation);
    if (isAsked && confirmation.canAsk(context)) {
      const { principal, narrowing } = session;
      const place = { world: world ?? narrowing.world, user: narrowing.user };
      const command = { keyId: principal.keyId, operation: operation.name, ...place, payload };
      const verdict = await confirmation.confirm(context, command, () => describe(session, asked, context));
      if (verdict === 'declined') return declined;
      if (verdict !== 'confirmed') return verdict.asked;
    }
    const { signal, _meta: meta } = context.mcpReq;
    const idempotencyKey = readKey(meta?.['idempotencyKey'], operation);
    const made = await session.carryOut({ operation, payload, world, idempotencyKey, signal });
    const content = contentOf(operation, made.body, only);
    return { content: [...notesOn(made), ...content] };
  }

  /** Says what is about to happen, with the name of the thing where it can be read. */
  async function describe(session: Session, asked: AskedCall, context: ServerContext): Promise<string> {
    const { operation, payload, world } = asked;
    const { uuid } = payload as { uuid?: unknown };
    const entity = catalog.find('entity');
    const name =
      entity && catalog.offers(session, entity) && typeof uuid === 'string'
        ? await session
            .carryOut({
              operation: entity,
              payload: { uuid },
              world,
              idempotencyKey: undefined,
              signal: context.mcpReq.signal,
            })
            .then(({ body }) => nameIn(body))
            .catch(() => undefined)
        : undefined;
    const what = name === undefined ? '' : ` “${name}”`;
    // What it is done to stands first, whatever else was given.
    const details = JSON.stringify({ ...(uuid === undefined ? {} : { uuid }), ...payload });
    const shown = details.length > 300 ? `${details.slice(0, 300)}…` : details;
    return `${operation.summary}:${what} ${shown}. This cannot be taken back. Do it?`;
  }
}

interface AskedCall {
  operation: Operation;
  payload: object;
  world: string | undefined;
  only: readonly string[];
}

const isOwn = (name: string) => (ownTools as readonly string[]).includes(name);

const declined = failure(
  JSON.stringify({
    code: 'declined',
    detail: 'The person who was asked said no.',
    outcome: 'not_sent',
    meaning: 'Nothing was sent to the world.',
    do: 'Do not ask again for it unless the person wants it.',
  }),
);

function nameIn(body: Buffer): string | undefined {
  const text = cheapText(body);
  const { data } = JSON.parse(text ?? '{}') as { data?: { name?: unknown } };
  return typeof data?.name === 'string' ? toPlainText(data.name.slice(0, 100)) : undefined;
}

function readDirect(given: Arguments): Omit<AskedCall, 'operation'> {
  const { world, only, ...payload } = given;
  return { payload, world: readText(world, 'world'), only: readOnly(only) };
}

function readCall(catalog: Catalog, given: Arguments): AskedCall {
  const { name, world, arguments: payload = {}, only, ...more } = given;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined)
    throw refuse(unknown.slice(0, 50), 'is unknown: what the operation takes belongs in `arguments`');
  if (typeof name !== 'string') throw refuse('name', 'must be the name of an operation');
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw refuse('arguments', 'must be an object');
  const { only: inside, world: worldInside, ...rest } = payload as Record<string, unknown>;
  // Models put them where a tool of its own has them.
  const asked = { world: readText(world, 'world') ?? readText(worldInside, 'world') };
  if (worldInside !== undefined && worldInside !== asked.world)
    throw refuse('world', 'stands in `arguments` too, and the two differ');
  const operation = catalog.find(name);
  if (operation) return { operation, payload: rest, ...asked, only: readOnly(only ?? inside) };
  throw new ProblemError(
    'not_found',
    `There is no operation ${name.slice(0, 100)}. Nothing was sent. Look for it with find_operations.`,
  );
}

function readText(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw refuse(field, 'must be text');
}

const mostPaths = 50;

function readOnly(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const paths: unknown[] = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [undefined];
  if (paths.length <= mostPaths && paths.every((path) => typeof path === 'string' && path.length <= 200))
    return paths as string[];
  throw refuse('only', `must be a list of at most ${mostPaths} dotted paths`);
}

/** A query is repeated without one. */
function readKey(value: unknown, { kind }: Operation): string | undefined {
  if (value === undefined || kind === 'query') return undefined;
  if (typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value)) return value;
  throw refuse('idempotencyKey', 'must have 1 to 255 printable ASCII characters');
}

const refuse = (field: string, message: string) => invalidFields([{ field, message }]);

/** What a caller over HTTP reads in headers. */
function notesOn({ isReplay, ignored }: { isReplay: boolean; ignored: string }): CallToolResult['content'] {
  const notes = [
    ...(isReplay ? ['This was done before under its idempotency key. Nothing was sent now.'] : []),
    ...(ignored === '' ? [] : [`Made without what the operation does not know: ${ignored}.`]),
  ];
  return notes.map((text) => ({ type: 'text', text }));
}

const maxAnswerBytes = 8 * 1024 * 1024;
const maxPictureBytes = 1024 * 1024;
/** In UTF-8. No more of a text is read than can be told. */
const mostBytesOfLetter = 4;

function contentOf(operation: Operation, body: Buffer, only: readonly string[]): CallToolResult['content'] {
  const file = operation.resultBytes && fileIn(operation, body);
  if (file) return fileContent(operation, file);
  return [{ type: 'text', text: textOf(operation, body, only) }];
}

/** Undefined where the world answered without one, as it may. */
function fileIn(operation: Operation, body: Buffer): ResultFile | undefined {
  const { resultBytes } = operation;
  if (!resultBytes) return undefined;
  try {
    return readResultFile(operation, resultBytes, body);
  } catch (error) {
    if (resultBytes.onlyFor !== undefined && error instanceof ProblemError) return undefined;
    throw error;
  }
}

function fileContent(operation: Operation, { bytes, headers }: ResultFile): CallToolResult['content'] {
  const type = headers['content-type'] ?? 'application/octet-stream';
  const told = (more: object) => {
    const facts = { type, bytes: bytes.length, disposition: headers['content-disposition'], ...more };
    return { type: 'text' as const, text: frame(writeAnswer(facts).json) };
  };
  if (type.startsWith('image/') && bytes.length <= maxPictureBytes)
    return [{ type: 'image', data: bytes.toString('base64'), mimeType: type }, told({})];
  if (/^(?:text\/|application\/json)/.test(type))
    return [told({ text: bytes.subarray(0, maxCharacters * mostBytesOfLetter).toString() })];
  const note = `It is too large for this place, or not shown here. Over HTTP: ${operation.method} ${operation.path}.`;
  return [told({ note })];
}

/** A world chooses what it answers, and to parse it must not keep others waiting: undefined where it would. */
function cheapText(body: Buffer): string | undefined {
  const text = body.length > maxAnswerBytes ? undefined : body.toString();
  return text === undefined || isCostly(text) ? undefined : text;
}

function textOf({ name }: Operation, body: Buffer, only: readonly string[]): string {
  const text = cheapText(body);
  if (text === undefined)
    throw new ProblemError(
      'client_bad_reply',
      `The world answered ${name} with ${body.length} bytes, and so much in them is too much here. Ask for less.`,
    );
  try {
    return frame(writeAnswer(JSON.parse(text), only).json);
  } catch (cause) {
    const detail = `The world’s answer to ${name} was not JSON, or is nested too deep.`;
    throw new ProblemError('client_bad_reply', detail, { cause });
  }
}

async function tellWorlds(session: Session, catalog: Catalog): Promise<CallToolResult> {
  const { principal, narrowing } = session;
  authorize(principal, 'clients:read');
  const worlds = (await session.listWorlds()).map((client) => ({
    id: client.clientId,
    title: client.customName || client.worldTitle,
    system: client.systemId,
    online: client.isOnline,
    ...(principal.actingUserIds ? { actsAs: principal.actingUserIds.get(client.clientId) } : {}),
  }));
  const { json } = writeAnswer({
    worlds,
    may: { change: !narrowing.isReadOnly, groups: catalog.groups(session) },
  });
  return { content: [{ type: 'text', text: frame(json) }] };
}

function findOperations(session: Session, catalog: Catalog, { words }: Arguments): CallToolResult {
  if (typeof words !== 'string' || words.length > 500)
    throw refuse('words', 'must be text of at most 500 characters');
  const found = catalog.search(session, words).map((operation) => entryOf(catalog, session, operation));
  const hint = found.length > 0 ? {} : { hint: 'Nothing fits. Try other words, in English.' };
  return { content: [{ type: 'text', text: writeAnswer({ operations: found, ...hint }).json }] };
}

async function tellEvents(session: Session, given: Arguments, signal: AbortSignal): Promise<CallToolResult> {
  if (!leavesEvents(session.narrowing)) throw leftOut();
  const recent = await session.readRecent({ ...given }, session, signal);
  return { content: [{ type: 'text', text: frame(writeAnswer(recent).json) }] };
}
