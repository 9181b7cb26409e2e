import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRelay } from '../create-relay.ts';
import { RelayError } from './relay-error.ts';
import { listen, seen, stopListening } from '../../test/answers.ts';
import type { Answer } from '../../test/answers.ts';

afterEach(stopListening);

async function relayWith(...answers: Answer[]) {
  return createRelay({ url: await listen(...answers), apiKey: 'trk_key', clientId: 'demo' });
}

const problem = (code: string, status: number, fields: object = {}): Answer => ({
  status,
  body: {
    type: 'about:blank',
    title: code,
    status,
    code,
    detail: 'Why.',
    retryable: false,
    traceId: 't1',
    ...fields,
  },
});

const check = { actorUuid: 'Actor.mira', skill: 'prc' } as const;

const failureOf = async (call: Promise<unknown>): Promise<RelayError> => {
  const error: unknown = await call.then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RelayError);
  return error as RelayError;
};

describe('a failure', () => {
  test('carries what the relay says of it', async () => {
    const fields = { retryable: true, outcome: 'not_sent', requestId: 'skill-check_1', candidates: ['a'] };
    const relay = await relayWith({
      ...problem('unavailable', 503, fields),
      headers: { 'retry-after': '2' },
    });
    const error = await failureOf(relay.sys5e.skillCheck(check));
    expect(error).toMatchObject({
      code: 'unavailable',
      status: 503,
      retryable: true,
      outcome: 'not_sent',
      detail: 'Why.',
      requestId: 'skill-check_1',
      traceId: 't1',
      retryAfterMs: 2000,
    });
    expect(error.problem?.candidates).toEqual(['a']);
  });

  test.each([
    [{ status: 502, body: '<h1>Bad gateway</h1>' }, 502],
    [{ status: 200, body: 'OK' }, 200],
    [{ status: 500, body: { message: 'no' } }, 500],
  ])('of something between us and the relay is told as such: %j', async (answer, status) => {
    const relay = await relayWith(answer);
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject({
      code: 'bad_answer',
      status,
      outcome: 'unknown',
      retryable: false,
    });
  });

  test('in mid-call leaves a command’s outcome unknown', async () => {
    const relay = await relayWith({ hangUp: true });
    const failure = { code: 'connection_failed', status: 0, outcome: 'unknown' };
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject({ ...failure, retryable: false });
    expect(await failureOf(relay.utility.players())).toMatchObject({ ...failure, retryable: true });
  });

  test('to connect may be repeated: nothing was sent', async () => {
    const relay = await relayWith();
    await stopListening();
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject({
      code: 'connection_failed',
      outcome: 'not_sent',
      retryable: true,
    });
  });

  test('to answer in time ends the call', async () => {
    const relay = await relayWith({ silent: true });
    const call = relay.sys5e.skillCheck(check, { timeoutMs: 50 });
    expect(await failureOf(call)).toMatchObject({ code: 'timeout', outcome: 'unknown', retryable: false });
  });

  test('by the caller’s own signal is the signal’s reason', async () => {
    const relay = await relayWith({ silent: true });
    const controller = new AbortController();
    const call = relay.sys5e.skillCheck(check, { signal: controller.signal });
    await vi.waitFor(() => expect(seen).toHaveLength(1), 10_000);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  test('is what a redirect is: the key goes nowhere else', async () => {
    const relay = await relayWith({ status: 307, headers: { location: '/elsewhere' } }, {});
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject({ code: 'connection_failed' });
    expect(seen.map(({ path }) => path)).toEqual(['/sys5e/skill-check']);
  });
});

describe('retries', () => {
  const busy = { ...problem('overloaded', 503, { retryable: true, outcome: 'not_sent' }) };
  const soon = { ...busy, headers: { 'retry-after': '0' } };

  async function retrying(retries: number, ...answers: Answer[]) {
    return createRelay({ url: await listen(...answers), apiKey: 'k', retries });
  }

  test('are off unless asked for', async () => {
    const relay = await relayWith(soon, {});
    await failureOf(relay.sys5e.skillCheck(check));
    expect(seen).toHaveLength(1);
  });

  test('repeat what was not sent, as often as asked and no more', async () => {
    const relay = await retrying(2, soon, soon, { body: { type: 'skill-check-result' } });
    expect(await relay.sys5e.skillCheck(check)).toMatchObject({ type: 'skill-check-result' });
    expect(seen).toHaveLength(3);

    const tired = await retrying(2, soon);
    await failureOf(tired.sys5e.skillCheck(check));
    expect(seen).toHaveLength(3);
  });

  test('never repeat a command that may have been carried out', async () => {
    const lost = problem('client_lost', 502, { outcome: 'unknown', retryable: false });
    const relay = await retrying(5, lost, { body: { version: '0.1.0' } });
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject({ code: 'client_lost' });
    expect(seen.map(({ path }) => path)).toEqual(['/sys5e/skill-check', '/api/status']);
    // Nor where nobody can tell whether the relay knows keys.
    const behindProxy = await retrying(5, lost, { body: '<h1>Welcome</h1>' });
    expect(await failureOf(behindProxy.sys5e.skillCheck(check))).toMatchObject({ code: 'client_lost' });
    expect(seen).toHaveLength(2);
  });

  const honours: Answer = { body: { idempotencyKeptMs: 3_600_000 } };
  const keys = () =>
    seen.filter(({ path }) => path !== '/api/status').map(({ headers }) => headers['idempotency-key']);

  test('repeat a command under one key by themselves, each command under its own, and ask the relay once', async () => {
    const done = { body: { type: 'skill-check-result' } };
    const relay = await retrying(1, { hangUp: true }, honours, done, { hangUp: true }, done);
    for (let n = 0; n < 2; n++)
      expect(await relay.sys5e.skillCheck(check)).toMatchObject({ type: 'skill-check-result' });
    const [one, again, two, last] = keys();
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect([again, last]).toEqual([one, two]);
    expect(two).not.toBe(one);
    expect(seen).toHaveLength(5);
    await relay.utility.players();
    expect(seen.at(-1)?.headers).not.toHaveProperty('idempotency-key');
  });

  test('wait for a command that still runs, and that is no repeat', async () => {
    const fields = { outcome: 'not_sent', retryable: true };
    const running = { ...problem('idempotency_running', 409, fields), headers: { 'retry-after': '0' } };
    const done = { body: { type: 'skill-check-result' } };
    const relay = await retrying(1, { hangUp: true }, honours, running, running, running, done);
    expect(await relay.sys5e.skillCheck(check)).toMatchObject({ type: 'skill-check-result' });
  });

  test('that were not sent leave the outcome of the command before them unknown', async () => {
    const away = { ...soon, ...problem('unavailable', 503, { retryable: true, outcome: 'not_sent' }) };
    const relay = await retrying(2, { hangUp: true }, honours, { ...away, headers: { 'retry-after': '0' } });
    const failure = { code: 'connection_failed', outcome: 'unknown', retryable: false };
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject(failure);
    expect(keys()).toHaveLength(3);
  });

  test('repeat a command with its idempotency key after a lost connection, and end where nobody knows what became of it', async () => {
    const unknown = problem('outcome_unknown', 409, { outcome: 'unknown', retryable: false });
    const relay = await retrying(5, { hangUp: true }, honours, unknown);
    const call = relay.sys5e.skillCheck(check, { idempotencyKey: 'mine' });
    expect(await failureOf(call)).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown' });
    expect(keys()).toEqual(['mine', 'mine']);
  });

  test('wait as long as they are told', async () => {
    const relay = await retrying(1, { ...busy, headers: { 'retry-after': '1' } }, {});
    const started = performance.now();
    await relay.sys5e.skillCheck(check);
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  test('are not kept waiting for minutes', async () => {
    const relay = await retrying(1, { ...busy, headers: { 'retry-after': '86400' } });
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject({ retryAfterMs: 86_400_000 });
    expect(seen).toHaveLength(1);
  });

  test('end at once when the caller aborts', async () => {
    const relay = await retrying(1, { ...busy, headers: { 'retry-after': '20' } });
    const controller = new AbortController();
    const call = relay.sys5e.skillCheck(check, { signal: controller.signal });
    await vi.waitFor(() => expect(seen).toHaveLength(1), 10_000);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});
