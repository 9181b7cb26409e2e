import { Validator } from '@seriousme/openapi-schema-validator';
import {
  closeCodes,
  errors,
  operations,
  placesOf,
  readParameters,
  refusesUnknown,
} from '@tabletop-relay/contract';
import type { Operation, Place } from '@tabletop-relay/contract';
import { call } from '@tabletop-relay/testing/scenes';
import { Ajv } from 'ajv';
import { IsOptional } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { readOpenApi } from './open-api.ts';
import type { Described, OpenApi } from './open-api.ts';

let cluster: TestInstances;
let url: string;
let written: OpenApi;
let openApi: OpenApi;

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
  written = (await call(url, 'GET', '/openapi.json')).body as unknown as OpenApi;
  openApi = await readOpenApi(url);
});
afterAll(() => cluster.stop());

const entries = () => Object.values(openApi.paths).flatMap((methods) => Object.values(methods));
const limitHeaders = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document, with references that lead somewhere', async () => {
    const validator = new Validator();
    const { valid, errors: found } = await validator.validate({ ...written });
    expect(found).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
    const references = [...JSON.stringify(written).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, kind = '', name = ''] of references)
      expect(written.components).toHaveProperty([kind, name]);
  });

  it('would be told from one that is not', async () => {
    const broken = structuredClone(written) as unknown as { paths: Record<string, object> };
    broken.paths['/players'] = { get: { responses: 'none' } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('describes /api/health, which says of an instance without Redis that it uses none', async () => {
    const { status, body } = await call(url, 'GET', '/api/health');
    expect([status, body['checks']]).toEqual([200, { postgres: 'up', redis: 'not_used' }]);
  });

  it('tells the version of /api/status, and every operation has an id of its own', async () => {
    expect(openApi.info.version).toBe((await call(url, 'GET', '/api/status')).body['version']);
    const ids = entries().map(({ operationId }) => operationId);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('tells of each command the most that it can do, and of no query', () => {
    const effects = Object.fromEntries(
      entries().map((entry) => [entry.operationId, (entry as { 'x-effect'?: string })['x-effect']]),
    );
    for (const { name, effect } of operations) expect([name, effects[name]]).toEqual([name, effect]);
    expect(new Set(Object.values(effects))).toEqual(new Set(['adds', 'changes', 'destroys', undefined]));
  });

  it('names this relay, and its schemas', () => {
    expect(written.servers).toEqual([{ url }]);
    for (const name of [
      'SkillCheckParameters',
      'SkillCheckResult',
      'ApiKey',
      'KnownClient',
      'Problem',
      'Candidate',
    ])
      expect(written.components.schemas).toHaveProperty(name);
  });

  it('says in words what each success is, and in headers what else comes', () => {
    for (const { operationId, responses } of entries()) {
      expect([operationId, responses['200']?.description]).not.toEqual([operationId, 'Default Response']);
      for (const [status, { description, headers }] of Object.entries(responses)) {
        expect(description.length).toBeGreaterThan(5);
        const limits = { 429: limitHeaders, 503: ['retry-after'] }[status] ?? [];
        expect(Object.keys(headers)).toEqual(expect.arrayContaining(['x-request-id', ...limits]));
      }
    }
  });

  it('lets a body be left out where nothing in it is needed', async () => {
    const isNeeded = (path: string) => openApi.paths[path]?.['post']?.requestBody?.required;
    expect(isNeeded('/start-encounter')).toBe(false);
    expect(isNeeded('/auth/pairing-codes')).toBe(false);
    expect(isNeeded('/sys5e/skill-check')).toBe(true);
    expect(isNeeded('/select')).toBe(true);
  });

  it('has a body of each error for an example, and every field of it', () => {
    const isProblem = new Ajv({ strict: false, validateSchema: false, validateFormats: false }).compile({
      ...openApi.components.schemas['Problem'],
      additionalProperties: false,
    });
    for (const code of Object.keys(errors)) {
      const { value } = openApi.components.examples[code] as { value: { code: string } };
      expect(value.code).toBe(code);
      expect(isProblem(value), `${code}: ${JSON.stringify(isProblem.errors)}`).toBe(true);
    }
  });

  it('has everything that callers and dashboards may call, and nothing internal', () => {
    const paths = Object.keys(openApi.paths);
    for (const path of ['/clients', '/api/status', '/api/health', '/auth/pair', '/auth/key-request', '/auth/login'])
      expect(paths).toContain(path);
    for (const path of paths) expect(path).not.toMatch(/^\/(docs|guides|errors|dashboard|livez|readyz|relay)/);
  }); // prettier-ignore

  describe.each(operations)('$method $path', (operation: Operation) => {
    const entry = () =>
      openApi.paths[operation.path.replaceAll(/:(\w+)/g, '{$1}')]?.[operation.method.toLowerCase()] ??
      ({} as Partial<Described>);
    const parameters = Object.entries(operation.parameters);
    // Each stands once, where the SDK sends it; beside a raw body the rest may come in the query.
    const preferred = (places: readonly Place[]) =>
      operation.method === 'DELETE' && places.includes('query') ? 'query' : places.at(-1);
    const inPlace = (place: Place) =>
      parameters
        .map(([name]) => ({ name, places: placesOf(operation, name) }))
        .filter(({ places }) => (operation.bodyBytes ? places.includes(place) : preferred(places) === place))
        .map(({ name }) => name);
    const takesBody = !['GET', 'DELETE'].includes(operation.method);

    it('is there with its parameters, where they may stand, and what is needed', () => {
      const { operationId, tags, security, parameters: listed = [], requestBody } = entry();
      expect(operationId).toBe(operation.name);
      expect(tags).toEqual([operation.group]);
      expect(openApi.tags.map(({ name }) => name)).toContain(operation.group);
      expect(security).toEqual([{ apiKey: [] }]);
      expect(listed.map(({ name }) => name).sort()).toEqual(
        [
          'clientId',
          'x-client-id',
          ...(operation.kind === 'command' ? ['idempotency-key'] : []),
          ...(takesBody && !operation.bodyBytes ? [] : ['userId']),
          ...inPlace('path'),
          ...inPlace('query'),
        ].sort(),
      );
      for (const { in: place, name, schema, content } of listed) {
        const inHeader = ['x-client-id', 'idempotency-key'].includes(name);
        const expected = inHeader ? 'header' : inPlace('path').includes(name) ? 'path' : 'query';
        expect([name, place]).toEqual([name, expected]);
        // Clients that follow the document would spell an object out as parameters of its own.
        const parameter: { type?: unknown } | undefined = operation.parameters[name];
        expect([name, Object.keys(content ?? { schema })]).toEqual([
          name,
          [parameter?.type === 'object' ? 'application/json' : 'schema'],
        ]);
      }
      const body = requestBody?.content['application/json'].schema;
      expect(Object.keys(body?.properties ?? {}).sort()).toEqual(
        takesBody ? ['userId', ...inPlace('body')].sort() : [],
      );
      const needed = (name: string) => !IsOptional(operation.parameters[name]);
      const onlyIn = (place: Place) =>
        inPlace(place).filter(
          (name) =>
            needed(name) &&
            (place === 'body' || !operation.bodyBytes || placesOf(operation, name).length === 1),
        );
      expect([...(body?.required ?? [])].sort()).toEqual(onlyIn('body').sort());
      expect(
        listed
          .filter(({ required }) => required)
          .map(({ name }) => name)
          .sort(),
      ).toEqual([...onlyIn('path'), ...onlyIn('query')].sort());
    });

    it('says of its body what the relay holds it to: the example passes, without any of a group it does not', () => {
      const schema = entry().requestBody?.content['application/json'].schema;
      if (!schema) return;
      const check = new Ajv({ strict: false, validateSchema: false }).compile(schema);
      const inBody = new Set(inPlace('body'));
      const values = Object.entries(operation.example.parameters);
      const example = Object.fromEntries(values.filter(([name]) => inBody.has(name)));
      expect(check(example), JSON.stringify(check.errors)).toBe(true);
      expect(check({ ...example, unknownParameter: 1 })).toBe(!refusesUnknown(operation));
      for (const group of [
        ...(operation.identifiedBy ?? []),
        ...(operation.needsOneOf ? [operation.needsOneOf] : []),
      ]) {
        const rest = Object.fromEntries(
          Object.entries(example).filter(([name]) => !group.flat().includes(name)),
        );
        expect(check(rest)).toBe(false);
        expect(readParameters(operation, { body: rest }).ok).toBe(false);
      }
    });

    it('has its example, its result, and every failure that it may answer', () => {
      const { requestBody, responses = {} } = entry();
      const json = requestBody?.content['application/json'];
      const inBody = new Set(inPlace('body'));
      const values = Object.entries(operation.example.parameters).filter(([name]) => inBody.has(name));
      expect(json?.example).toEqual(takesBody ? Object.fromEntries(values) : undefined);
      expect(responses['200']?.content['application/json']?.example).toMatchObject(operation.example.result);
      expect(responses['200']?.content['application/json']?.schema).toMatchObject({
        properties: { type: { enum: [`${operation.name}-result`] }, requestId: { type: 'string' } },
      });
      for (const status of ['400', '401', '403', '404', '422', '429', '502', '503', '504']) {
        expect(responses, status).toHaveProperty(status);
        expect(responses[status]?.content).toHaveProperty(['application/problem+json']);
      }
    });
  });
});

describe('/asyncapi.json', () => {
  it('describes this relay’s socket with every command and close code', async () => {
    const { status, body } = await call(url, 'GET', '/asyncapi.json');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      asyncapi: '3.0.0',
      servers: { relay: { host: new URL(url).host, protocol: 'ws' } },
      channels: { relay: { address: '/relay' } },
    });
    const commands = Object.keys(body['operations'] as object);
    expect(commands).toEqual(expect.arrayContaining(operations.map(({ name }) => name)));
    const channel = (body['channels'] as { relay: Record<string, unknown> }).relay;
    expect(channel['x-close-codes']).toEqual(Object.values(closeCodes));
  });
});
