import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeModule, world } from '../../test/fixtures.ts';
import { startRelay } from '../../test/relay-server.ts';
import type { RelayServer } from '../../test/relay-server.ts';
import { memoryStorage } from '../index.ts';

let relay: RelayServer;
let clock: ReturnType<typeof setInterval>;
let calls: { url: string; body: Record<string, unknown> }[];
/** What the polls are answered, in order; the last one again and again. */
let polls: { status: number; body: object }[];
let asked: { status: number; body: object };

const page = 'https://relay.example/pair/CODE';
const approved = { status: 200, body: { status: 'approved', pairingCode: 'ABC234' } };

beforeEach(async () => {
  relay = await startRelay();
  calls = [];
  polls = [approved];
  asked = { status: 200, body: { code: 'CODE', pairUrl: page, expiresIn: 600 } };
  relay.http = (request, body, response) => {
    const url = request.url ?? '';
    calls.push({ url, body });
    const token = { status: 200, body: { token: 'trc_new', clientId: 'client-9', relayUrl: relay.url } };
    const poll = () => (polls.length > 1 ? polls.shift() : polls[0]) ?? approved;
    const { status, body: answer } =
      url === '/auth/pair' ? token : url === '/auth/pair-request' ? asked : poll();
    response.writeHead(status, { 'retry-after': '0' }).end(JSON.stringify(answer));
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  clock = setInterval(() => vi.isFakeTimers() && vi.advanceTimersByTime(250), 2);
});
afterEach(async () => {
  clearInterval(clock);
  vi.useRealTimers();
  await relay.close();
});

function pairing(more: { signal?: AbortSignal } = {}) {
  const storage = memoryStorage({ clientId: 'client-1' });
  const { module } = makeModule(relay.url, { storage, world: { ...world, serverFingerprint: 'f1' } });
  const onUrl = vi.fn<(url: string) => void>();
  return { storage, onUrl, paired: module.pairByApproval({ relayUrl: relay.url, onUrl, ...more }) };
}

test('an approval pairs without a code, and tells the same world twice', async () => {
  polls = [
    { status: 200, body: { status: 'pending' } },
    { status: 502, body: {} },
    { status: 429, body: { code: 'rate_limited' } },
    approved,
  ];
  const { storage, onUrl, paired } = pairing();
  expect(await paired).toEqual({ clientId: 'client-9', relayUrl: relay.url });
  expect(onUrl).toHaveBeenCalledExactlyOnceWith(page);
  const told = { ...world, serverFingerprint: 'f1', existingClientId: 'client-1' };
  expect(calls[0]).toEqual({ url: '/auth/pair-request', body: told });
  expect(calls.at(-1)).toEqual({ url: '/auth/pair', body: { ...told, code: 'ABC234' } });
  expect(calls).toHaveLength(6);
  expect(await storage.load()).toMatchObject({ clientId: 'client-9', connectionToken: 'trc_new' });
});

test.each([
  ['denied', { status: 200, body: { status: 'denied' } }],
  ['code_expired', { status: 200, body: { status: 'expired' } }],
  ['code_used', { status: 200, body: { status: 'exchanged' } }],
  ['not_found', { status: 404, body: { code: 'not_found', detail: 'No such pair request.' } }],
])('it ends as %s and changes nothing', async (code, answer) => {
  polls = [answer];
  const { storage, paired } = pairing();
  await expect(paired).rejects.toMatchObject({ name: 'PairingError', code });
  expect(await storage.load()).toEqual({ clientId: 'client-1' });
});

test('nobody who decides in time is an end too', async () => {
  asked.body = { code: 'CODE', pairUrl: page, expiresIn: 1 };
  polls = [{ status: 200, body: { status: 'pending' } }];
  await expect(pairing().paired).rejects.toMatchObject({ code: 'code_expired' });
});

test.each([['javascript:alert(1)'], ['http://elsewhere.example/pair/CODE'], [undefined]])(
  'no browser is sent to %s',
  async (pairUrl) => {
    asked.body = { code: 'CODE', pairUrl, expiresIn: 600 };
    const { onUrl, paired } = pairing();
    await expect(paired).rejects.toMatchObject({ code: 'bad_answer' });
    expect(onUrl).not.toHaveBeenCalled();
  },
);

test('a pairing that is given up asks no more', async () => {
  polls = [{ status: 200, body: { status: 'pending' } }];
  const abort = new AbortController();
  const { onUrl, paired } = pairing({ signal: abort.signal });
  await vi.waitUntil(() => onUrl.mock.calls.length > 0, { timeout: 10_000, interval: 2 });
  abort.abort();
  await expect(paired).rejects.toMatchObject({ code: 'aborted' });
});

test('a page that comes into view looks at once', async () => {
  vi.useRealTimers();
  const window = new EventTarget();
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
  const startedAt = performance.now();
  const { onUrl, paired } = pairing();
  await vi.waitUntil(() => onUrl.mock.calls.length > 0, { timeout: 10_000, interval: 2 });
  window.dispatchEvent(new Event('visibilitychange'));
  await paired;
  vi.unstubAllGlobals();
  expect(performance.now() - startedAt).toBeLessThan(2_900);
});
