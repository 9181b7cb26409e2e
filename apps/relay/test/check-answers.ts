import { Problem } from '@tabletop-relay/contract';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import type { RouteOptions } from 'fastify';
import { Readable } from 'node:stream';

/** What a route declares of its answers, by status. */
type Declared = Record<string, Schema & { content?: Record<string, { schema: Schema }> }>;

interface Schema {
  properties?: object;
  additionalProperties?: unknown;
}

/** Checks all answers of the routes that it is told of: Fastify sends what a handler returns, whatever was declared. */
export interface AnswerChecks {
  /** To be told of each route of a server while it is made. */
  watch(route: RouteOptions): void;
  /** Throws where an answer was not as its route declares it: a field too many may be a secret. */
  verify(): void;
}

export function createAnswerChecks(): AnswerChecks {
  const faults = new Set<string>();

  function checker({ method, url, schema, config }: RouteOptions): (status: number, answer: unknown) => void {
    const declared = (config?.openApi ?? schema)?.response as Declared | undefined;
    return (status, answer) => {
      const validate = validatorOf(declared?.[status]);
      // What is sent, not what was meant: a Date is a text, and `undefined` does not travel.
      if (!validate || validate(JSON.parse(JSON.stringify(answer)))) return;
      for (const { instancePath, message, params } of validate.errors ?? [])
        faults.add(`${String(method)} ${url} ${status} ${instancePath} ${message} ${JSON.stringify(params)}`);
    };
  }

  return {
    watch(route) {
      const check = checker(route);
      const objects: RouteOptions['preSerialization'] = (_request, reply, answer, done) => {
        check(reply.statusCode, answer);
        done(null, answer);
      };
      const downloads: RouteOptions['onSend'] = (_request, reply, answer, done) => {
        const isJson = /json/.test(String(reply.getHeader('content-type')));
        done(null, isJson && answer instanceof Readable ? checked(answer, reply.statusCode) : answer);
      };
      async function* pass(download: Readable, status: number) {
        let text = '';
        for await (const part of download) {
          text += String(part);
          yield part;
        }
        // A 304 has no body.
        if (status !== 304) check(status, JSON.parse(text));
      }
      const checked = (download: Readable, status: number) => Readable.from(pass(download, status));
      route.preSerialization = [...[route.preSerialization ?? []].flat(), objects];
      route.onSend = [...[route.onSend ?? []].flat(), downloads];
    },
    verify() {
      if (faults.size > 0) throw new Error(`answers are not as declared:\n${[...faults].join('\n')}`);
    },
  };
}

/** Instances share what they declare, so that each answer is compiled once in a process. */
const validators = new WeakMap<object, ValidateFunction | undefined>();

function validatorOf(declared: Declared[string] | undefined): ValidateFunction | undefined {
  if (!declared) return undefined;
  if (!validators.has(declared)) validators.set(declared, compile(declared));
  return validators.get(declared);
}

function compile(declared: Declared[string]): ValidateFunction | undefined {
  const json = Object.entries(declared.content ?? {}).find(([type]) => type.endsWith('json'));
  const schema = declared.content ? json?.[1].schema : declared;
  if (!schema) return undefined;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(closed(Problem), 'Problem');
  return ajv.compile(closed(schema));
}

/** The schema without room for what it does not name, at any depth. */
function closed<S>(schema: S): S {
  if (Array.isArray(schema)) return schema.map(closed) as S;
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, one]) => [name, closed(one)]),
  ) as Schema;
  const isOpen = inner.additionalProperties === undefined && typeof inner.properties === 'object';
  return (isOpen ? { ...inner, additionalProperties: false } : inner) as S;
}
