import { Validator } from '@seriousme/openapi-schema-validator';
import { closeCodes, operations, placesOf, readParameters } from '@tabletop-relay/contract';
import type { Operation, Place } from '@tabletop-relay/contract';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { IsOptional } from 'typebox';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../account.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import type { Described, OpenApi } from './open-api.ts';

let cluster: TestInstances;
let url: string;
let openApi: OpenApi;

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
  openApi = (await call(url, 'GET', '/openapi.json')).body as unknown as OpenApi;
});
afterAll(() => cluster.stop());

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document, with references that lead somewhere', async () => {
    const validator = new Validator();
    const { valid, errors: found } = await validator.validate({ ...openApi });
    expect(found).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
    const references = [...JSON.stringify(openApi).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, name = ''] of references) expect(openApi.components.schemas).toHaveProperty(name);
  });

  it('would be told from one that is not', async () => {
    const broken = structuredClone(openApi) as unknown as { paths: Record<string, object> };
    broken.paths['/players'] = { get: { responses: 'none' } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('tells the version of /api/status, and every operation has an id of its own', async () => {
    expect(openApi.info.version).toBe((await call(url, 'GET', '/api/status')).body['version']);
    const ids = Object.values(openApi.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has everything that callers and dashboards may call, and nothing internal', () => {
    const paths = Object.keys(openApi.paths);
    for (const path of ['/clients', '/api/status', '/api/health', '/auth/pair', '/auth/key-request', '/auth/login'])
      expect(paths).toContain(path);
    for (const path of paths) expect(path).not.toMatch(/^\/(docs|errors|dashboard|livez|readyz|relay)/);
  }); // prettier-ignore

  describe.each(operations)('$method $path', (operation: Operation) => {
    const entry = () =>
      openApi.paths[operation.path.replaceAll(/:(\w+)/g, '{$1}')]?.[operation.method.toLowerCase()] ??
      ({} as Partial<Described>);
    const parameters = Object.entries(operation.parameters);
    const inPlace = (place: Place) =>
      parameters.filter(([name]) => placesOf(operation, name).includes(place)).map(([name]) => name);
    const takesBody = operation.method !== 'GET';

    it('is there with its parameters, where they may stand, and what is needed', () => {
      const { operationId, tags, security, parameters: listed = [], requestBody } = entry();
      expect(operationId).toBe(operation.name);
      expect(tags).toEqual([operation.group]);
      expect(openApi.tags.map(({ name }) => name)).toContain(operation.group);
      expect(security).toEqual([{ apiKey: [] }]);
      expect(listed.map(({ name }) => name).sort()).toEqual(
        ['clientId', 'userId', ...inPlace('path'), ...inPlace('query')].sort(),
      );
      for (const { in: place, name, schema, content } of listed) {
        expect(place).toBe(inPlace('path').includes(name) ? 'path' : 'query');
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
          (name) => needed(name) && (place === 'body' || placesOf(operation, name).length === 1),
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
      expect(check({ ...example, unknownParameter: 1 })).toBe(false);
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

describe.each(['/openapi.json', '/asyncapi.json', '/docs/json', '/docs/yaml'])('%s', (path) => {
  const get = (headers: Record<string, string> = {}) => request(url + path, { headers });
  const plain = async () => {
    const answer = await get();
    return { headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) };
  };

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip;q=0.8, br;q=0', gunzipSync],
  ])('is sent as %s to who takes it, and then is the same document', async (encoding, accepted, decode) => {
    const { headers, bytes } = await plain();
    expect(headers['content-encoding']).toBeUndefined();
    const answer = await get({ 'accept-encoding': accepted });
    expect(answer.headers).toMatchObject({
      'content-encoding': encoding,
      vary: 'accept-encoding',
      etag: headers['etag'],
    });
    const encoded = Buffer.from(await answer.body.arrayBuffer());
    expect(encoded.length).toBeLessThan(bytes.length / 4);
    expect(decode(encoded).equals(bytes)).toBe(true);
  });

  it('is not sent again to who has it', async () => {
    const { headers } = await plain();
    const etag = String(headers['etag']);
    for (const known of [etag, `"other", ${etag.replace('W/', '')}`, '*']) {
      const answer = await get({ 'if-none-match': known });
      expect([answer.statusCode, await answer.body.text()]).toEqual([304, '']);
    }
    expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200);
  });
});
