import {
  endpointGroups,
  endpoints,
  isEventStream,
  operations,
  refusesUnknown,
} from '@tabletop-relay/contract';
import type { Endpoint } from '@tabletop-relay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { readOpenApi } from './open-api.ts';
import type { OpenApi } from './open-api.ts';

let cluster: TestInstances;
let url: string;
let openApi: OpenApi;

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
  openApi = await readOpenApi(url);
});
afterAll(() => cluster.stop());

describe('the account API in /openapi.json', () => {
  const routes = () =>
    Object.entries(openApi.paths)
      .filter(([path]) => /^\/(auth|admin|api\/self-unpair)/.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => ({
          name: `${method.toUpperCase()} ${path}`,
          responses,
        })),
      );

  it.each(Object.entries<Endpoint>(endpoints))(
    'has %s, under its address and in its group',
    (name, endpoint) => {
      const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
      const entry = openApi.paths[path]?.[endpoint.method.toLowerCase()];
      expect(entry).toMatchObject({ operationId: name, summary: endpoint.summary });
      const [tag = ''] = entry?.tags ?? [];
      expect(openApi.tags.map(({ name: known }) => known)).toContain(tag);
      expect(endpointGroups[tag as keyof typeof endpointGroups].endpoints).toHaveProperty(name);
    },
  );

  it('tells of each route what it answers when all is well', () => {
    expect(routes().length).toBeGreaterThan(0);
    const streams = Object.values<Endpoint>(endpoints)
      .filter(({ answer }) => isEventStream(answer))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    for (const { name, responses } of routes()) {
      const media = streams.includes(name) ? 'text/event-stream' : 'application/json';
      expect(responses['200']?.content, name).toHaveProperty([media, 'schema']);
    }
  });

  it.each([
    ['POST /auth/register', '400 403 409 413 415 429 503'],
    ['POST /auth/login', '400 401 403 413 415 429 503'],
    ['POST /auth/regenerate-key', '400 401 403 413 415 429 503'],
    ['POST /auth/forgot-password', '400 403 413 415 429 503'],
    ['POST /auth/reset-password', '400 403 413 415 429 503'],
    ['POST /auth/change-password', '400 401 403 413 415 429 503'],
    ['DELETE /auth/account', '400 401 403 413 415 429 503'],
    ['POST /auth/pair', '400 403 404 409 410 413 415 429 503'],
    ['POST /auth/pairing-codes', '400 401 403 404 409 413 415 429 503'],
    ['POST /auth/key-request', '400 413 415 429 503'],
    ['GET /auth/key-request/{code}/status', '400 404 409 429 503'],
    ['POST /auth/key-request/exchange', '400 403 404 409 410 413 415 429 503'],
    ['GET /auth/key-request/{code}', '400 401 403 404 503'],
    ['POST /auth/key-request/{code}/approve', '400 401 403 404 409 410 413 415 429 503'],
    ['POST /auth/key-request/{code}/deny', '400 401 403 404 410 413 415 429 503'],
    ['POST /auth/api-keys', '400 401 403 404 409 413 415 429 503'],
    ['PATCH /auth/api-keys/{id}', '400 401 403 404 413 415 429 503'],
    ['DELETE /auth/api-keys/{id}', '400 401 403 404 413 415 503'],
    ['PATCH /auth/connection-tokens/{id}', '400 401 403 404 413 415 429 503'],
    ['GET /auth/events', '400 401 403 429 503'],
    ['GET /auth/export', '400 401 403 503'],
    ['GET /admin/accounts', '400 401 403 503'],
  ])('tells of %s how it fails', (route, statuses) => {
    const found = routes().find(({ name }) => name === route)?.responses ?? {};
    expect(Object.keys(found).filter((status) => status !== '200')).toEqual(statuses.split(' '));
    for (const status of statuses.split(' ')) {
      expect(found[status]?.content).toHaveProperty(['application/problem+json']);
    }
  });

  it('tells of every route that is given anything that it may be wrong', () => {
    const silent = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method, { parameters, requestBody }]) => parameters ?? requestBody ?? method !== 'get')
        // What is wrong leads browsers to a page that says so.
        .filter(([, { responses }]) => !('400' in responses || '303' in responses))
        .map(([method]) => `${method} ${path}`),
    );
    expect(silent).toEqual([]);
  });

  it('tells of every body whether it takes what it does not know', () => {
    const open = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.values(methods)
        .map(({ requestBody }) => Object.values(requestBody?.content ?? {})[0]?.schema)
        .filter((schema) => schema && schema.additionalProperties !== false)
        .map(() => path),
    );
    // Today's modules send more than we know, and none of it is refused.
    const ofModules = ['/api/self-unpair', '/auth/pair', '/auth/pair-request'];
    // OAuth’s standards tell servers to ignore what they do not know.
    const ofStandards = ['/oauth/register', '/oauth/token', '/oauth/revoke'];
    const calls = operations
      .filter((operation) => operation.method !== 'GET' && !refusesUnknown(operation))
      .map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
    expect(open.toSorted()).toEqual([...ofModules, ...ofStandards, ...calls].toSorted());
  });

  it('names the codes behind a status', () => {
    const pair = routes().find(({ name }) => name === 'POST /auth/pair')?.responses['410'];
    expect(pair?.description).toMatch(/`code_used`.*`code_expired`/);
  });
});
