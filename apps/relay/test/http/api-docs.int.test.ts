import { channels, endpoints, operations } from '@tabletop-relay/contract';
import type { Endpoint } from '@tabletop-relay/contract';
import { call } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

interface Listed {
  method: string;
  path: string;
  description: string;
  authentication: string;
  scope?: string;
  requiredParameters: { name: string; location: string; type: string; description: string }[];
  optionalParameters: { name: string; location: string; type: string; description: string }[];
}

let cluster: TestInstances;
let document: Record<string, unknown>;
let listed: Listed[];

beforeAll(async () => {
  cluster = await startInstances();
  document = (await call(cluster.instances[0].url, 'GET', '/api/docs')).body;
  listed = document['endpoints'] as Listed[];
});
afterAll(() => cluster.stop());

const find = (method: string, path: string) =>
  listed.filter((one) => one.method === method && one.path === path);
const named = (parameters: Listed['requiredParameters']) =>
  parameters.map(({ name, location, type }) => `${location} ${name} ${type}`);

describe('GET /api/docs', () => {
  it('lists each operation, stream and endpoint once, in words', () => {
    expect(document['version']).toBe('0.0.0-test');
    const all: { method: string; path: string }[] = [
      ...operations,
      ...Object.values(channels).map(({ path }) => ({ method: 'GET', path })),
      ...Object.values<Endpoint>(endpoints),
    ];
    for (const { method, path } of all) expect([path, find(method, path).length]).toEqual([path, 1]);
    expect(listed.filter(({ description }) => !description)).toEqual([]);
  });

  it('tells what an operation needs and what it may be given, and where', () => {
    const [check] = find('POST', '/sys5e/skill-check');
    expect(check).toMatchObject({ authentication: 'apiKey', scope: 'roll:execute' });
    expect(named(check?.requiredParameters ?? [])).toContain('body skill string');
    expect(named(check?.optionalParameters ?? [])).toEqual(
      expect.arrayContaining(['query clientId string', 'header x-client-id string']),
    );
    const [details] = find('GET', '/sys5e/get-actor-details');
    expect(named(details?.requiredParameters ?? [])).toEqual([
      'query actorUuid string',
      'query details array',
    ]);
  });

  it('tells of a path, of a value that may be null, and of what needs no key', () => {
    expect(find('GET', '/auth/key-request/:code/status')).toMatchObject([
      {
        authentication: 'none',
        requiredParameters: [{ name: 'code', location: 'path', type: 'string' }],
        optionalParameters: [{ name: 'x-poll-verifier', location: 'header' }],
      },
    ]);
    const [made] = find('POST', '/auth/api-keys');
    expect(made?.authentication).toBe('session');
    expect(named(made?.requiredParameters ?? [])).toEqual(['body name string', 'body scopes array']);
    expect(named(made?.optionalParameters ?? [])).toContain('body monthlyLimit integer or null');
  });
});
