import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidFields } from '../../problem.ts';

/** Calls `done` with the value, or with the failure. An empty text is no value and no failure. */
export type ParseJson = (
  request: FastifyRequest,
  json: string,
  done: (error: Error | null, value?: unknown) => void,
) => void;

/** What bodies are parsed with, wherever they are read. May throw in place of calling `done`. */
export function createParseJson(app: FastifyInstance): ParseJson {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request, json, done) => {
    // Many programs send `Content-Type: application/json` with nothing behind it.
    if (json === '') return done(null, undefined);
    if (hasManyBrackets(json)) {
      const message = `must not hold more than ${mostBrackets(json.length)} objects and lists: send it in parts`;
      throw invalidFields([{ field: 'body', message }]);
    }
    void parse(request, json, (error, value) => done(error && isJson(json) ? forbiddenName() : error, value));
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

/** A scene of five thousand walls, the densest thing that is sent as JSON, has about half as many. */
const leastBrackets = 50_000;

/** An actor with many items has one bracket for fifty characters, and for thirty where none of them is described. */
const lengthPerBracket = 24;

/** How many opening brackets JSON of a length may have. */
export const mostBrackets = (length: number): number =>
  Math.max(leastBrackets, Math.floor(length / lengthPerBracket));

/**
 * Whether JSON has more opening brackets than any document: 8 MiB of short objects or lists hold up the event loop for a
 * second, where the same length of other JSON takes a tenth of it. Those within texts count as well, because finding out would
 * take longer.
 */
export function hasManyBrackets(json: string): boolean {
  if (json.length <= cheapLength) return false;
  let left = mostBrackets(json.length);
  for (const bracket of ['{', '['])
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1))
      if (left-- === 0) return true;
  return false;
}
