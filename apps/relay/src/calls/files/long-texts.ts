import { randomUUID } from 'node:crypto';
import { endOfString, quote } from '../../sockets/json/json-text.ts';

/** Texts from this length on are not copied out of a reply. */
const longBytes = 64 * 1024;

/** A reply whose long texts stayed where they are in its bytes. */
export interface ParsedReply {
  fields: Record<string, unknown>;
  /** The bytes of a text, from its place in the reply where it stayed there. Undefined for a value that is no text. */
  bytesOf(value: unknown): Buffer | undefined;
}

/**
 * Parses a reply that carries a file without copying the file: `JSON.parse` sees a mark in the place of each long text.
 * A long text with an escape in it is copied after all, because its bytes are not yet the text.
 */
export function parseReply(reply: Buffer): ParsedReply {
  const mark = randomUUID();
  const texts = new Map<string, Buffer>();
  const pieces: Buffer[] = [];
  let copied = 0;
  for (let at = reply.indexOf(quote); at !== -1; at = reply.indexOf(quote, at)) {
    const end = endOfString(reply, at);
    if (end === -1) break;
    const text = reply.subarray(at + 1, end - 1);
    if (text.length >= longBytes && !text.includes('\\')) {
      const name = `${mark}:${texts.size}`;
      texts.set(name, text);
      pieces.push(reply.subarray(copied, at), Buffer.from(`"${name}"`));
      copied = end;
    }
    at = end;
  }
  const rest = Buffer.concat([...pieces, reply.subarray(copied)]);
  return {
    fields: JSON.parse(rest.toString()) as Record<string, unknown>,
    bytesOf: (value) => (typeof value === 'string' ? (texts.get(value) ?? Buffer.from(value)) : undefined),
  };
}
