import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';

/**
 * Compiles the schema of an answer when it is first sent, in place of some hundred at the start that are never used.
 *
 * It keeps calls fast too. V8 remembers up to 1,536 names that are the first of an otherwise empty object. When all are taken,
 * an object that begins with a further name gets a hidden class of its own, and what creates it stays slow. Each compiled
 * schema takes a name or several.
 */
export const compileAnswersLate: ReturnType<typeof SerializerSelector> = (externalSchemas, options) => {
  const compile = createCompiler(externalSchemas, options);
  return (route) => whenFirstUsed(() => compile(route));
};

const createCompiler = SerializerSelector();

/** The same for what requests are checked by. */
export function compileRequestsLate(compile: FastifySchemaCompiler<TSchema>): FastifySchemaCompiler<TSchema> {
  return (route) => whenFirstUsed(() => compile(route));
}

function whenFirstUsed<In, Out>(make: () => (value: In) => Out): (value: In) => Out {
  let made: ((value: In) => Out) | undefined;
  return (value) => (made ??= make())(value);
}
