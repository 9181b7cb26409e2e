import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';

/** Bodies are taken as they are; only query strings and paths, which are all text, are coerced. */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const options = { allErrors: true, useDefaults: true, removeAdditional: false } as const;
  const strict = new Ajv({ ...options, coerceTypes: false });
  const coercing = new Ajv({ ...options, coerceTypes: true });
  for (const ajv of [strict, coercing]) addFormats.default(ajv, ['date-time']);
  return ({ schema, httpPart }) => (httpPart === 'body' ? strict : coercing).compile(schema);
}
