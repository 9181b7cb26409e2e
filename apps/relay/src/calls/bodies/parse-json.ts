import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidFields } from '../../problem.ts';
import { createAdmitJson } from './costly-json.ts';
import type { AdmitJson } from './costly-json.ts';

/** Calls `done` with the value, or with the failure. An empty text is no value and no failure. */
export type ParseJson = (
  request: FastifyRequest,
  json: string,
  done: (error: Error | null, value?: unknown) => void,
) => void;

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
