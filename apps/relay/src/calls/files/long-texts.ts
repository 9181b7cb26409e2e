import { randomUUID } from 'node:crypto';
import { endOfString, quote } from '../../sockets/json-text.ts';
import { isCostly } from '../bodies/read-json.ts';

/** Texts from this length on stand aside. */
const longBytes = 64 * 1024;

/** The names and values of a dozen parameters, and many more. */
const maxTexts = 1_000;

/** Beside long texts: a list of 1 MiB of numbers, the other way to write a small file. */
const maxRestBytes = 4_259_840;

/** JSON in which a mark stands in the place of each long text. */
interface WithoutLongTexts {
  json: string;
  /** The texts by their marks, as they stand in the JSON, quotes included. */
  texts: ReadonlyMap<string, Buffer>;
}

/**
 * Puts the long texts of JSON aside, so that a file is neither parsed nor copied with the rest. Undefined where there is so
 * much beside them that it carries more than a file. Whoever parses the rest counts its brackets first.
 */
export function setAside(bytes: Buffer): WithoutLongTexts | undefined {
  const mark = randomUUID();
  const texts = new Map<string, Buffer>();
  const pieces: Buffer[] = [];
  let copied = 0;
  let restBytes = bytes.length;
  let count = 0;
  for (let at = bytes.indexOf(quote); at !== -1; at = bytes.indexOf(quote, at)) {
    const end = endOfString(bytes, at);
    if (end === -1) break;
    if (++count > maxTexts) return undefined;
    if (end - at >= longBytes) {
      const name = `${mark}:${texts.size}`;
      texts.set(name, bytes.subarray(at, end));
      pieces.push(bytes.subarray(copied, at), Buffer.from(`"${name}"`));
      copied = end;
      restBytes -= end - at;
    }
    at = end;
  }
  if (restBytes > maxRestBytes) return undefined;
  const json = Buffer.concat([...pieces, bytes.subarray(copied)]).toString();
  return { json, texts };
}

/** A reply whose long texts stayed where they are in its bytes. */
export interface ParsedReply {
  fields: Record<string, unknown>;
  /**
   * The bytes of a text, from its place in the reply where it stayed there. Undefined for a value that is no text. Throws a
   * `SyntaxError` where its escapes are none.
   */
  bytesOf(value: unknown): Buffer | undefined;
}

/**
 * Parses a reply that carries a file without copying the file. Only a text with an escape in it is copied, because its bytes
 * are not yet the text. Undefined where the reply carries much else. Throws a `SyntaxError` where it is no JSON.
 */
export function parseReply(reply: Buffer): ParsedReply | undefined {
  const aside = setAside(reply);
  if (!aside || isCostly(aside.json)) return undefined;
  const { json, texts } = aside;
  return {
    fields: JSON.parse(json) as Record<string, unknown>,
    bytesOf(value) {
      if (typeof value !== 'string') return undefined;
      const text = texts.get(value);
      if (!text) return Buffer.from(value);
      return text.includes('\\') ? Buffer.from(JSON.parse(text.toString()) as string) : text.subarray(1, -1);
    },
  };
}
