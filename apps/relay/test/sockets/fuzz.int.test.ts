// oxlint-disable max-lines -- Both properties share their odd values and their judge.
import { commandFields, operations, placesOf, wireNameOf } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBystander } from '../bystander.ts';
import type { Bystander } from '../bystander.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let dashboardRoot: string;
let url: string;
let pool: Pool;
let account: TestAccount;
let key: string;
let bystander: Bystander;

beforeAll(async () => {
  // What is fuzzed is the relay, whether or not the dashboard was built here.
  dashboardRoot = mkdtempSync(path.join(os.tmpdir(), 'relay-test-'));
  writeFileSync(path.join(dashboardRoot, 'index.html'), '<!doctype html>');
  cluster = await startInstances({ dashboardRoot });
  [{ url }] = cluster.instances;
  pool = new Pool(url, { connections: 20 });
  account = await createAccount(url);
  key = await account.createKey();
  bystander = await createBystander(url);
});
afterAll(async () => {
  await bystander.close();
  await pool.close();
  await cluster.stop();
  rmSync(dashboardRoot, { recursive: true });
});
/** So many times the values are tried here, and more in `pnpm test:slow`. */
const more = Number(process.env['FUZZ'] ?? 1);

/** A warning would be trouble of ours, an error a bug. */
const complaints = () => cluster.logs.filter(({ level }) => Number(level) >= 40);

/** Runs a property on many values while the bystander's calls go on; a failure prints the seed. */
async function check<T extends unknown[]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  numRuns: number,
  predicate: (...values: T) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(fc.tuple<T>(...arbitraries), async (values) => {
    await bystander.begin();
    await predicate(...values);
    await bystander.expectUnharmed();
    expect(complaints()).toEqual([]);
  });
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: 50_000, markInterruptAsFailure: false });
}

/** Any JSON, and the names and shapes that programs trip over. */
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  // prettier-ignore
  fc.constantFrom<unknown>(
    null, '', '\0', '\ud800', '__proto__', 'constructor', -0, 1e308, 2 ** 53, [], {}, [[]],
    { toString: 1, valueOf: 1 }, { length: 1e9 }, { toJSON: 'x' },
  ),
  fc.nat(60_000).map((depth) => new Raw('['.repeat(depth) + ']'.repeat(depth))),
);

/** JSON text that stands as it is: what `JSON.stringify` would overflow the stack for. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function print(fields: Record<string, unknown>): string {
  const entries = Object.entries(fields).map(
    ([name, value]) => `${JSON.stringify(name)}:${value instanceof Raw ? value.text : JSON.stringify(value)}`,
  );
  return `{${entries.join(',')}}`;
}

const frameTypes = [
  'auth', 'ping', 'player-list', 'module-notify', 'get-known-clients', 'remote-request', 'hook-event',
  'combat-event', 'actor-event', 'scene-event', 'players-result', 'world-info-result', 'skill-check-result',
  '-result', 'cancel', 'reconnect', '__proto__', 'constructor',
]; // prettier-ignore

describe('a module', () => {
  let pairing: Pairing;
  let module: FakeModule;

  beforeAll(async () => {
    pairing = await account.pair();
  });

  const frame = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json({ maxDepth: 3 }),
    odd.map((value) => (value instanceof Raw ? value.text : JSON.stringify(value))),
    fc
      .record(
        {
          type: fc.constantFrom<unknown>(...frameTypes),
          requestId: fc.oneof(fc.constant('CALL'), odd),
          data: odd,
          error: odd,
          code: odd,
          event: odd,
          token: odd,
        },
        { requiredKeys: ['type'] },
      )
      .map(print),
    fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  );

  it('that sends anything crashes nothing, and its caller gets a documented answer in time', async () => {
    await check(
      [fc.constantFrom('/players', '/world-info'), fc.array(frame, { minLength: 1, maxLength: 8 })],
      50 * more,
      async (path, frames) => {
        module = await connectModule(url, pairing);
        const answer = pool.request({
          method: 'GET',
          path: `${path}?clientId=${pairing.clientId}`,
          headers: { 'x-api-key': key },
        });
        const { requestId } = await module.next(path.slice(1));
        for (const each of frames) {
          if (module.socket.readyState !== module.socket.OPEN) break;
          module.send(typeof each === 'string' ? each.replaceAll('"CALL"', `"${String(requestId)}"`) : each);
        }
        module.cut();
        const { statusCode, body } = await answer;
        expect([200, 422, 502]).toContain(statusCode);
        expect((await body.text()).length).toBeGreaterThan(0);
        await module.closed;
      },
    );
  });
});

describe('a caller', () => {
  let pairing: Pairing;
  let module: FakeModule;

  beforeAll(async () => {
    pairing = await account.pair();
    module = await connectModule(url, pairing, () => ({}));
  });
  afterAll(() => module.close());

  /** Parameters that exist with values that may not fit, and some that do not exist. */
  const parametersOf = (operation: Operation) =>
    fc
      .tuple(
        fc.record(
          Object.fromEntries(
            ['userId', ...Object.keys(operation.parameters)].map((name) => [
              name,
              fc.oneof(
                { weight: 3, arbitrary: fc.constant(exampleOf(operation, name)) },
                { weight: 1, arbitrary: odd },
              ),
            ]),
          ),
          { requiredKeys: [] },
        ),
        fc.dictionary(fc.string(), odd, { maxKeys: 1 }),
      )
      .map(([known, unknown]): Record<string, unknown> => ({ ...known, ...unknown }));

  const exampleOf = ({ example }: Operation, name: string): unknown =>
    (example.parameters as Record<string, unknown>)[name] ?? 'x';

  const pathOf = (operation: Operation): string =>
    operation.path.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(textOf(exampleOf(operation, name))),
    );

  const textOf = (value: unknown): string =>
    value instanceof Raw ? value.text : typeof value === 'string' ? value : JSON.stringify(value);

  async function ask(operation: Operation, query: Record<string, unknown>, body: string | undefined) {
    const search = new URLSearchParams({ clientId: pairing.clientId });
    for (const [name, value] of Object.entries(query)) search.append(name, textOf(value).slice(0, 400));
    const answer = await pool.request({
      method: operation.method,
      path: `${pathOf(operation)}?${search.toString()}`,
      headers: {
        'x-api-key': key,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> };
  }

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'of %s that gives anything is answered 200 or 400, and what reaches the world fits the contract',
    async (_name, operation) => {
      const body =
        operation.method === 'GET'
          ? fc.constant(undefined)
          : fc.option(
              fc.oneof(
                { weight: 6, arbitrary: parametersOf(operation).map(print) },
                { weight: 1, arbitrary: fc.json() },
                { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
              ),
              { nil: undefined },
            );
      await check([parametersOf(operation), body], 8 * more, async (query, text) => {
        const { status, body: answer } = await ask(operation, inQuery(operation, query), text);
        expect([200, 400], JSON.stringify(answer)).toContain(status);
        expect(answer).toMatchObject(status === 200 ? {} : { code: 'invalid_request', outcome: 'not_sent' });
      });
      const wireNames = Object.entries(operation.parameters).map(([name, schema]) =>
        wireNameOf(name, schema),
      );
      // What a literal adds to its commands shows in any of them.
      const added = Object.keys(
        commandFields(operation, { ...operation.example.parameters }, { scopes: [] }),
      );
      const known = new Set(['type', 'requestId', 'userId', ...wireNames, ...added]);
      for (const command of module.received.filter(({ type }) => type === operation.name))
        for (const name of Object.keys(command)) expect(known.has(name), name).toBe(true);
    },
  );

  /** Half of the runs keep to the places that parameters belong in. */
  function inQuery(operation: Operation, parameters: Record<string, unknown>): Record<string, unknown> {
    const stray = Object.keys(parameters).length % 2 === 0;
    return Object.fromEntries(
      Object.entries(parameters).filter(([name]) => {
        return stray || placesOf(operation, name).includes('query');
      }),
    );
  }

  it('with any address, method and headers gets an answer that is no fault of ours', async () => {
    const segment = fc.oneof(
      // prettier-ignore
      fc.constantFrom(
        '', 'sys5e', 'clients', 'api', 'errors', 'docs', 'relay', 'auth', 'players', 'dashboard', 'static', '..', '.',
        '%', '%00', '%2e%2e', '%2f', '%zz', '*', ':code', 'key-request', 'pair', 'health', 'openapi.json',
      ),
      fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map(encodeURIComponent),
    );
    await check(
      [
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND'),
        fc.array(segment, { maxLength: 4 }),
        fc.option(odd, { nil: undefined }),
        fc.record(
          {
            'x-api-key': fc.constantFrom(key, 'x'),
            'x-client-id': fc.string({ unit: 'grapheme-ascii' }),
            'content-type': fc.constantFrom(
              'application/json',
              'text/plain',
              'x',
              'application/json; charset=utf-16',
            ),
            authorization: fc.constantFrom('Bearer', 'Bearer x', 'Basic eDp5', account.sessionToken),
            cookie: fc.constantFrom('trs=x', '__Host-trs=%', ';;;='),
          },
          { requiredKeys: [] },
        ),
      ],
      150 * more,
      async (method, segments, value, headers) => {
        const path = `/${segments.join('/')}`;
        const sent = method === 'GET' || method === 'HEAD' || value === undefined ? undefined : textOf(value);
        const answer = await pool.request({
          method,
          path,
          headers: { ...headers },
          ...(sent === undefined ? {} : { body: sent }),
        });
        const text = await answer.body.text();
        expect([500, 501, 502, 504], `${method} ${path}: ${text}`).not.toContain(answer.statusCode);
        const isProblem = String(answer.headers['content-type']).startsWith('application/problem+json');
        const isUnbuiltPage = answer.statusCode === 503 && text.includes('<title>Pages not built');
        expect(
          isProblem || isUnbuiltPage || answer.statusCode < 400 || text === '',
          `${method} ${path}: ${text}`,
        ).toBe(true);
      },
    );
  });
});
