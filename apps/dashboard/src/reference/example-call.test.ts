import { expect, it } from 'vitest';
import type { Entry } from './document.ts';
import { exampleCall } from './example-call.ts';

const options = { clientId: 'c1', schemas: {} };
const json = (example?: object, schema?: object) => ({
  content: { 'application/json': { example, schema } },
});

function callOf(more: object) {
  const entry = { method: 'GET', path: '/x', operationId: 'x', summary: 'X', responses: {}, ...more };
  return exampleCall(entry as unknown as Entry, options);
}

it('a call without parameters is its address alone', () => {
  expect(callOf({})).toEqual({ method: 'GET', path: '/x', answers: 'json', credential: 'none' });
});

it('a query has the world, the examples, and values that fit where something must be there', () => {
  const parameters = [
    { name: 'clientId', in: 'query' },
    { name: 'words', in: 'query', example: 'a b' },
    { name: 'list', in: 'query', required: true, schema: { type: 'array', items: { type: 'boolean' } } },
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
    { name: 'x-key', in: 'header', example: 'k' },
  ];
  const call = callOf({ parameters, 'x-sdk-method': 'x.get', security: [{ apiKey: [] }] });
  expect(call).toEqual({
    method: 'GET',
    path: '/x?clientId=c1&words=a+b&list=%5Btrue%5D',
    answers: 'json',
    credential: 'apiKey',
    sdk: { method: 'x.get', clientId: 'c1', parameters: { words: 'a b', list: [true] } },
  });
});

it('a path is filled in by its examples, and by names where there is none', () => {
  const parameters = [
    { name: 'id', in: 'path', required: true, example: 'a/b' },
    { name: 'other', in: 'path', required: true, schema: { type: 'string' } },
  ];
  expect(callOf({ path: '/x/{id}/{other}', parameters }).path).toBe('/x/a%2Fb/<other>');
});

it('a body is the example, else a value that fits, and goes to the SDK with the parameters', () => {
  const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 2 } } };
  const method = 'POST';
  expect(callOf({ method, requestBody: json({ a: 1 }, schema) }).body).toEqual({ a: 1 });
  const parameters = [{ name: 'q', in: 'query', example: 1 }];
  const call = callOf({ method, parameters, requestBody: json(undefined, schema), 'x-sdk-method': 'x.put' });
  expect(call).toMatchObject({ body: { n: 2 }, path: '/x?q=1', sdk: { parameters: { q: 1, n: 2 } } });
  expect(callOf({ method, requestBody: { content: {} } })).not.toHaveProperty('body');
});

it('what comes back is JSON, a file or events', () => {
  const answering = (content: object) => callOf({ responses: { 200: { content } } }).answers;
  expect(answering({ 'text/event-stream': {} })).toBe('events');
  expect(answering({ '*/*': {} })).toBe('file');
  expect(answering({ 'application/json': {} })).toBe('json');
  expect(callOf({ security: [{ session: [] }] }).credential).toBe('session');
});
