import type { Operation, ResultBytes } from '@tabletop-relay/contract';
import type { FastifyReply } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { IsOptional } from 'typebox';
import type { TSchema } from 'typebox';
import { ProblemError } from '../../problem.ts';
import { decodeFile } from './base64-file.ts';
import { parseReply } from './long-texts.ts';

/** A file from a world, as it is sent over HTTP. */
export interface ResultFile {
  bytes: Buffer;
  /** Type, name and where it is known the size of a picture. */
  headers: Record<string, string>;
}

/**
 * Types that a browser shows and never runs: pictures but SVG, sound, video, PDF, text, JSON. A world chooses the type of its
 * answer, and the answer has the relay's own origin: HTML or SVG from a world could run scripts there. Everything else is
 * therefore sent as plain bytes to save.
 */
const shownTypes = new Set([
  'image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/apng', 'image/bmp', 'image/tiff',
  'image/x-icon', 'image/vnd.microsoft.icon',
  'audio/mpeg', 'audio/ogg', 'audio/wav', 'audio/x-wav', 'audio/webm', 'audio/flac', 'audio/aac', 'audio/mp4', 'audio/midi',
  'video/mp4', 'video/webm', 'video/ogg', 'video/quicktime', 'video/x-m4v',
  'text/plain', 'text/csv', 'text/markdown',
  'application/pdf', 'application/json',
]); // prettier-ignore

/** Reads the file from a world's reply. Throws `client_bad_reply` if the reply has none, or is no JSON: nobody has parsed it before. */
export function readResultFile(operation: Operation, names: ResultBytes, reply: Buffer): ResultFile {
  try {
    return readFile(operation, names, reply);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ProblemError('client_bad_reply', `The world’s answer to ${operation.name} was not JSON.`, {
      cause,
    });
  }
}

function readFile(operation: Operation, { field, ...names }: ResultBytes, reply: Buffer): ResultFile {
  const parsed = parseReply(reply);
  if (!parsed) {
    const detail = `The world’s answer to ${operation.name} holds too much beside its file.`;
    throw new ProblemError('client_bad_reply', detail);
  }
  const { fields: frame, bytesOf } = parsed;
  const { requestId } = frame as { requestId: string };
  const given = valueAt(frame, field);
  if ((given === undefined || given === null) && isOptionalAt(operation.result, field))
    throw new ProblemError('operation_failed', 'The world answered without the file.', { requestId });
  const text = bytesOf(given);
  const file = text && decodeFile(text);
  if (!file) {
    const detail = `The world’s answer to ${operation.name} holds no base64 in ${field}.`;
    throw new ProblemError('client_bad_reply', detail, { requestId });
  }
  const named = names.contentType === undefined ? undefined : valueAt(frame, names.contentType);
  const type = essenceOf(typeof named === 'string' ? named : file.type);
  const isShown = shownTypes.has(type);
  const name =
    names.fileName === undefined
      ? type.startsWith('image/') && `${operation.name}.${type.slice('image/'.length)}`
      : valueAt(frame, names.fileName);
  return {
    bytes: file.bytes,
    headers: {
      'content-type': isShown ? type + charsetOf(type, file.bytes) : 'application/octet-stream',
      'content-disposition': [isShown ? 'inline' : 'attachment', ...fileNames(name)].join('; '),
      ...sizeHeader('x-image-width', frame, names.width),
      ...sizeHeader('x-image-height', frame, names.height),
    },
  };
}

/** Browsers take a text without it for one of an old single-byte alphabet. */
const charsetOf = (type: string, bytes: Buffer): string =>
  /^text\/|\/json$/.test(type) && isUtf8(bytes) ? '; charset=utf-8' : '';

/** None where the world tells no size, or none that a picture could have. */
function sizeHeader(name: string, frame: unknown, path: string | undefined): Record<string, string> {
  const pixels = path === undefined ? undefined : valueAt(frame, path);
  const isSize = typeof pixels === 'number' && pixels > 0 && pixels < 1_000_000;
  return isSize ? { [name]: String(Math.round(pixels)) } : {};
}

/** Answers a file. Fastify adds its length. */
export function sendFile(reply: FastifyReply, file: ResultFile): FastifyReply {
  return reply.headers(file.headers).send(file.bytes);
}

const essenceOf = (type: string): string => type.split(';', 1)[0]!.trim().toLowerCase();

/** The file name for `content-disposition` (RFC 6266): in ASCII, and also in UTF-8 if ASCII cannot express it. */
function fileNames(given: unknown): string[] {
  const name = typeof given === 'string' ? baseName(given) : '';
  if (name === '') return [];
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return [`filename="${ascii}"`, ...(ascii === name ? [] : [`filename*=UTF-8''${encoded}`])];
}

/** The last part of a path, without characters that file names cannot contain. */
function baseName(path: string): string {
  const last = path.slice(-1_000).split(/[/\\]/).at(-1)!;
  return last
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .slice(-200)
    .toWellFormed();
}

function valueAt(frame: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], frame);
}

function isOptionalAt(schema: TSchema, path: string): boolean {
  let at: { properties?: Record<string, TSchema> } | undefined = schema;
  for (const key of path.split('.')) {
    at = at?.properties?.[key];
    if (at && IsOptional(at)) return true;
  }
  return false;
}
