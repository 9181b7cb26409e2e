import { describeFaults, endpoints } from '@tabletop-relay/contract';
import type { FieldError } from '@tabletop-relay/contract';
import Fastify from 'fastify';
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, it } from 'vitest';
import { ProblemError } from '../problem.ts';
import { compileValidator } from './validation.ts';

const compile = compileValidator;

/** The faults of a body in the words of the account API, whose validator is Ajv. */
function saidByRelay(schema: TSchema, value: unknown): string[] {
  const validate = compile({ schema, method: 'POST', url: '/', httpPart: 'body' });
  const { error } = validate(structuredClone(value)) as { error?: unknown };
  if (error === undefined) return [];
  if (!(error instanceof ProblemError)) throw new Error('no problem', { cause: error });
  return inWords(error.fields['errors'] as FieldError[]);
}

/** The faults of the same value in the words of operations, whose validator is TypeBox. */
function saidByOperations(schema: TSchema, value: unknown): string[] {
  const validator = Compile(schema);
  return validator.Check(value) ? [] : inWords(describeFaults(schema, validator.Errors(value), 'body'));
}

const inWords = (errors: readonly FieldError[]) =>
  errors.map(({ field, message }) => `${field} ${message}`).toSorted();

const LoginBody = endpoints.login.body;
const CreateApiKeyBody = endpoints.createApiKey.body;
const UpdateApiKeyBody = endpoints.updateApiKey.body;
const CreatePairingCodeBody = endpoints.createPairingCode.body;
const CreateKeyRequestBody = endpoints.createKeyRequest.body;
const { name, scopes } = { name: 'Overlay', scopes: ['clients:read'] };

it.each<[string, TSchema, unknown]>([
  ['no object', LoginBody, 5],
  ['a list for an object', LoginBody, []],
  ['a missing field', LoginBody, { email: 'a@example.org' }],
  ['an unknown field', LoginBody, { email: 'a@example.org', password: 'x', pasword: 'x' }],
  ['an unknown field of an odd name', LoginBody, { email: 'a@example.org', password: 'x', 'a/b~c': 1 }],
  ['a number for text', LoginBody, { email: 1, password: 'x' }],
  ['text too short', CreateApiKeyBody, { name: '', scopes }],
  ['text too long', CreateApiKeyBody, { name: 'x'.repeat(101), scopes }],
  ['text against its pattern', CreateApiKeyBody, { name: ' ', scopes }],
  ['text both too short and against its pattern', LoginBody, { email: 'x', password: 'x' }],
  ['an unknown choice in a list', CreateApiKeyBody, { name, scopes: ['clients:read', 'all', 'none'] }],
  ['an empty list', CreateApiKeyBody, { name, scopes: [] }],
  ['a list with too many elements', CreateApiKeyBody, { name, scopes: Array(51).fill('clients:read') }],
  ['a number too small, where null may stand', CreateApiKeyBody, { name, scopes, monthlyLimit: 0 }],
  ['an empty list, where null may stand', CreateApiKeyBody, { name, scopes, clientIds: [] }],
  ['no time, where null may stand', CreateApiKeyBody, { name, scopes, expiresAt: 'soon' }],
  ['a body that changes nothing', UpdateApiKeyBody, {}],
  ['text for a list', CreatePairingCodeBody, { remoteScopes: 'clients:read' }],
  ['text for a number', CreateKeyRequestBody, { appName: name, scopes, suggestedMonthlyLimit: '5' }],
  ['two faults', CreateKeyRequestBody, { scopes: [], pollChallenge: 'short' }],
])('%s is told in the same words by the account API and by operations', (_fault, schema, value) => {
  const said = saidByRelay(schema, value);
  expect(said).toEqual(saidByOperations(schema, value));
  expect(said.join()).toMatch(/ (must be|is required|is unknown)/);
});

it('numbers in a query string are read, and a wrong one is told in the same words', () => {
  const schema = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200 }) });
  const validate = compile({ schema, method: 'GET', url: '/', httpPart: 'querystring' });
  expect(validate({ limit: '50' })).toEqual({ value: { limit: 50 } });
  const { error } = validate({ limit: '1e999' }) as { error: ProblemError };
  expect(error.message).toBe('Not valid: limit must be an integer from 1 to 200.');
});

it('a route answers with what its validator says', async () => {
  const app = Fastify();
  app.setValidatorCompiler(compile);
  app.setErrorHandler((error, _request, reply) => reply.send({ code: (error as ProblemError).code }));
  app.post('/', { schema: { body: LoginBody } }, () => ({}));
  const answer = await app.inject({ method: 'POST', url: '/', payload: {} });
  expect(answer.json()).toEqual({ code: 'invalid_request' });
});

it.each([
  ['2030-01-01T00:00:00Z', true],
  ['0000-01-01T00:00:00Z', true],
  ['9999-12-31T23:59:59Z', true],
  ['0000-01-01T00:00:00+05:00', false],
  ['9999-12-31T23:00:00-05:00', false],
  ['2016-12-31T23:59:60Z', false],
  ['2030-01-01', false],
])('the time %s is taken: %s', (expiresAt, isTaken) => {
  const said = saidByRelay(CreateApiKeyBody, { name, scopes, expiresAt });
  expect(said).toHaveLength(isTaken ? 0 : 1);
});
