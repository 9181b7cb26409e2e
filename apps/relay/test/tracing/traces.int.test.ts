import { call, connectModule } from '@tabletop-relay/testing/scenes';
import type { Pairing } from '@tabletop-relay/testing/scenes';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { connectAsking } from '../remote/asking-module.ts';
import type { ReceivedSpan } from './collector.ts';
import { connectWorld, setUpModuleTraces, startTraced } from './traced-instances.ts';
import type { TracedInstances, TracedWorld } from './traced-instances.ts';

const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const callersSpan = '00f067aa0ba902b7';
const traceparent = `00-${callersTrace}-${callersSpan}-01`;

/** Times of spans are rounded to milliseconds here and there. */
const roundedMs = 2;

let relays: TracedInstances;
let first: string;
let second: string;
let plain: string;
let worlds: TracedWorld[] = [];

beforeAll(async () => {
  relays = await startTraced();
  [first, second, plain] = relays.urls;
  setUpModuleTraces(relays.collector);
});
afterEach(() => {
  for (const { module } of worlds) module.close();
  worlds = [];
});
afterAll(() => relays.stop());

/** A world of its own for one test. */
async function connect(url: string) {
  const pairing = await relays.account.pair();
  const world = await connectWorld(url, pairing);
  worlds.push(world);
  return { pairing, seen: world.seen };
}

const skillCheck = (
  url: string,
  { clientId }: Pick<Pairing, 'clientId'>,
  headers: Record<string, string> = {},
) =>
  call(url, 'POST', `/sys5e/skill-check?clientId=${clientId}`, {
    body: { actorUuid: 'Actor.a-secret-of-the-world', skill: 'prc' },
    headers: { 'x-api-key': relays.key, ...headers },
  });

/** The spans from the first on: each is the parent of the next. */
function inOrder(spans: readonly ReceivedSpan[], parent?: string): ReceivedSpan[] {
  const next = spans.find(({ parentSpanId }) => (parentSpanId || undefined) === parent);
  return next ? [next, ...inOrder(spans, next.spanId)] : [];
}

const namesOf = (spans: readonly ReceivedSpan[]) =>
  spans.map(({ name, instance }) => `${name} at ${String(instance)}`);

it('a call to a world of another instance is one trace, from the caller over both instances to the module and back', async () => {
  const { pairing, seen } = await connect(second);
  const answer = await skillCheck(first, pairing, {
    traceparent,
    tracestate: 'vendor=secret-of-the-caller',
  });
  expect(answer.status).toBe(200);

  const spans = inOrder(await relays.collector.trace(callersTrace, 5), callersSpan);
  expect(namesOf(spans)).toEqual([
    'http skill-check at test-1',
    'bus skill-check at test-1',
    'owner skill-check at test-2',
    'world skill-check at test-2',
    'skill-check at module',
  ]);
  const [http, , , world] = spans as [ReceivedSpan, ReceivedSpan, ReceivedSpan, ReceivedSpan];
  expect(answer.headers.get('traceparent')).toBe(`00-${callersTrace}-${http.spanId}-01`);
  expect(seen).toEqual([
    {
      parameters: { actorUuid: 'Actor.a-secret-of-the-world', skill: 'prc', createChatMessage: true },
      context: expect.objectContaining({ traceparent: `00-${callersTrace}-${world.spanId}-01` }) as unknown,
    },
  ]);
  for (const [index, span] of spans.slice(1).entries()) {
    expect(span.startMs).toBeGreaterThanOrEqual((spans[index] as ReceivedSpan).startMs - roundedMs);
    expect(span.endMs).toBeLessThanOrEqual((spans[index] as ReceivedSpan).endMs + roundedMs);
  }
});

it('spans tell the operation, the outcome and the world, and nothing of caller or parameters', async () => {
  const { pairing } = await connect(second);
  const { headers } = await skillCheck(first, pairing, { tracestate: 'vendor=secret-of-the-caller' });
  const spans = await relays.collector.trace(traceIn(headers), 5);
  const told = Object.fromEntries(spans.map(({ name, attributes }) => [name, attributes]));
  const facts = { 'relay.operation': 'skill-check', 'relay.outcome': 'ok' };
  expect(told).toEqual({
    'http skill-check': facts,
    'bus skill-check': facts,
    'owner skill-check': facts,
    'world skill-check': { ...facts, 'relay.client_id': pairing.clientId },
    'skill-check': {},
  });
  const sent = relays.collector.received.map(({ body }) => body).join('');
  for (const secret of ['secret-of-the', relays.key, relays.account.email, relays.account.accountId])
    expect(sent).not.toContain(secret);
  const ours = relays.collector.received.find(({ body }) => body.includes('test-1'));
  expect(ours).toMatchObject({ path: '/v1/traces', headers: { 'x-collector-token': 'a token' } });
});

it('a call to a world of the same instance has no steps between the two', async () => {
  const { pairing } = await connect(first);
  const { headers } = await skillCheck(first, pairing);
  const spans = inOrder(await relays.collector.trace(traceIn(headers), 3));
  expect(namesOf(spans)).toEqual([
    'http skill-check at test-1',
    'world skill-check at test-1',
    'skill-check at module',
  ]);
});

it('a call that fails ends each of its steps with the code, and its log line names trace and request', async () => {
  const { pairing } = await connect(second);
  const path = `/players?clientId=${pairing.clientId}`;
  const { headers, body } = await call(first, 'GET', path, { headers: { 'x-api-key': relays.key } });
  expect(body['code']).toBe('operation_failed');
  const spans = await relays.collector.trace(traceIn(headers), 5);
  const outcomes = spans.filter(({ instance }) => instance !== 'module').map(({ attributes }) => attributes);
  expect(outcomes.map((attributes) => attributes['relay.outcome'])).toEqual(
    Array(4).fill('operation_failed'),
  );
  expect(relays.traced.logs).toContainEqual(
    expect.objectContaining({
      msg: 'request refused',
      traceId: traceIn(headers),
      requestId: headers.get('x-request-id'),
    }),
  );

  const nobody = await skillCheck(first, { clientId: 'nobody' });
  const failed = await relays.collector.trace(traceIn(nobody.headers), 2);
  expect(failed.map(({ attributes }) => attributes['relay.outcome'])).toEqual(
    Array(2).fill('client_not_found'),
  );
  expect(JSON.stringify(failed)).not.toContain('nobody');
});

it('a call whose caller hangs up ends its steps as the call log tells of it', async () => {
  const pairing = await relays.account.pair();
  const silent = await connectModule(first, pairing);
  const hungUp = 'cccccccccccccccccccccccccccccccc';
  const hangUp = new AbortController();
  const asked = call(first, 'GET', `/players?clientId=${pairing.clientId}`, {
    headers: { 'x-api-key': relays.key, traceparent: `00-${hungUp}-${callersSpan}-00` },
    signal: hangUp.signal,
  });
  await silent.next('players');
  hangUp.abort();
  await expect(asked).rejects.toThrow('aborted');
  const spans = await relays.collector.trace(hungUp, 2);
  expect(spans.map(({ attributes }) => attributes['relay.outcome'])).toEqual(Array(2).fill('client_timeout'));
  await silent.close();
});

it('what is no traceparent begins a trace of its own', async () => {
  const { pairing } = await connect(first);
  for (const given of [
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${callersSpan}-01`,
    `${traceparent}-${'x'.repeat(4_000)}`,
  ]) {
    const { status, headers } = await skillCheck(first, pairing, { traceparent: given });
    expect(status).toBe(200);
    const spans = inOrder(await relays.collector.trace(traceIn(headers), 3));
    expect(spans).toHaveLength(3);
    expect(traceIn(headers)).not.toBe(callersTrace);
  }
});

it('who has no key causes no spans', async () => {
  const { pairing } = await connect(first);
  const trace = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
  const headers = { 'x-api-key': 'trs_nobody', traceparent: `00-${trace}-${callersSpan}-01` };
  const refused = await skillCheck(first, pairing, headers);
  expect(refused.status).toBe(401);
  expect(refused.headers.get('traceparent')).toBeNull();
  // A later call's spans have come: those of the refused one would have come before.
  const later = await skillCheck(first, pairing);
  await relays.collector.trace(traceIn(later.headers), 3);
  expect(relays.collector.spans().filter(({ traceId }) => traceId === trace)).toEqual([]);
});

it('a request of a module to another world continues the trace that it names', async () => {
  const { pairing } = await connect(second);
  const asking = await connectAsking(relays.account, first, {
    allowedTargetClients: [pairing.clientId],
    remoteScopes: ['roll:execute'],
  });
  const named = 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
  const request = {
    targetClientId: pairing.clientId,
    action: 'skill-check',
    payload: { actorUuid: 'Actor.a', skill: 'prc' },
    traceparent: `00-${named}-${callersSpan}-01`,
  };
  expect(await asking.ask(request)).toMatchObject({ success: true });
  const spans = inOrder(await relays.collector.trace(named, 5), callersSpan);
  expect(namesOf(spans)).toEqual([
    'remote-request skill-check at test-1',
    'bus skill-check at test-1',
    'owner skill-check at test-2',
    'world skill-check at test-2',
    'skill-check at module',
  ]);
  await asking.module.close();
});

it('an owner that knows no traces passes the trace on, and the world answers as ever', async () => {
  const { pairing } = await connect(plain);
  const { status, headers } = await skillCheck(first, pairing);
  expect(status).toBe(200);
  const spans = inOrder(await relays.collector.trace(traceIn(headers), 3));
  expect(namesOf(spans)).toEqual([
    'http skill-check at test-1',
    'bus skill-check at test-1',
    'skill-check at module',
  ]);
});

it('without a collector nothing is traced, whatever the caller sends', async () => {
  const { pairing, seen } = await connect(second);
  const { status, headers } = await skillCheck(plain, pairing, { traceparent });
  expect(status).toBe(200);
  expect(headers.get('traceparent')).toBeNull();
  expect(seen[0]?.context.traceparent).toBeUndefined();
});

it('the README of the module SDK shows how a module takes part', () => {
  const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
  expect(read('../../../../packages/module-sdk/README.md')).toContain(read('trace-command.ts'));
});

const traceIn = (headers: Headers): string => headers.get('traceparent')?.split('-')[1] ?? 'none';
