import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { endpoints, Problem } from '@tabletop-relay/contract';
import type { Endpoint } from '@tabletop-relay/contract';
import type { TSchema } from 'typebox';
import { expect, it } from 'vitest';
import { describeEndpoint } from './endpoints/describe-endpoint.ts';
import { compileAnswersLate, compileRequestsLate } from './late-schemas.ts';
import { createValidatorCompiler } from './validation.ts';

const route = { method: 'GET', url: '/', httpStatus: '200' };

it('an answer’s schema is compiled when it is first sent', () => {
  const serialize = compileAnswersLate({}, {})({ ...route, schema: { $ref: 'nowhere#' } });
  expect(() => serialize({})).toThrow('nowhere');
  const good = compileAnswersLate(
    {},
    {},
  )({
    ...route,
    schema: { type: 'object', properties: { a: { type: 'number' } } },
  });
  expect([good({ a: 1, b: 2 }), good({ a: 3 })]).toEqual(['{"a":1}', '{"a":3}']);
});

it('a request’s schema is compiled once, when it is first checked', () => {
  let times = 0;
  const compile = compileRequestsLate(() => {
    times++;
    return (value) => ({ value });
  });
  const check = compile({ ...route, schema: {} });
  expect(times).toBe(0);
  check({});
  expect(check({})).toEqual({ value: {} });
  expect(times).toBe(1);
});

// What Fastify would tell at the start.
it.each(Object.entries<Endpoint>(endpoints))('the schemas of %s can be compiled', (name, endpoint) => {
  const { params, querystring, headers, body, response } = describeEndpoint(name, endpoint, 'tag');
  const parts = Object.entries({ params, querystring, headers, body }).filter(([, schema]) => schema);
  const compileRequest = createValidatorCompiler();
  const checks = parts.map(([httpPart, schema]) =>
    compileRequest({ ...route, httpPart, schema: schema as TSchema }),
  );
  const answers = Object.entries(response as Record<string, { content?: object }>);
  const compileAnswer = SerializerSelector()({ Problem }, {});
  const serializers = answers
    .filter(([, { content }]) => !content)
    .map(([httpStatus, schema]) => compileAnswer({ ...route, httpStatus, schema }));
  expect([...checks, ...serializers].every((one) => typeof one === 'function')).toBe(true);
});
