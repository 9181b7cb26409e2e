import { PairingError, RelayError, memoryStorage } from '@tabletop-relay/module-sdk';
import type { ModuleStatus, TabletopModule, WorldPause } from '@tabletop-relay/module-sdk';
import { beforeEach, expect, test, vi } from 'vitest';
import { createLine } from './line.ts';

/** The locks of one browser, which its tabs share. */
function fakeLocks() {
  const held: { name: string; next: (() => void)[] }[] = [];
  const request = async (name: string, options: { signal: AbortSignal }, run: () => Promise<void>) => {
    const lock = held.find((one) => one.name === name);
    if (lock) await new Promise<void>((resolve) => lock.next.push(resolve));
    if (options.signal.aborted) throw options.signal.reason;
    const own = lock ?? { name, next: [] };
    if (!lock) held.push(own);
    try {
      await run();
    } finally {
      const next = own.next.shift();
      if (next) next();
      else held.splice(held.indexOf(own), 1);
    }
  };
  return { request, query: () => Promise.resolve({ held: held.map(({ name }) => ({ name })) }) } as never;
}

interface Fake {
  module: TabletopModule;
  tell: (status: ModuleStatus) => void;
}

function makeTab(locks: never, storage = memoryStorage({ connectionToken: 't', clientId: 'c' })) {
  const fake = {} as Fake;
  const states: string[] = [];
  const line = createLine({
    worldId: 'w',
    storage,
    locks,
    onChange: ({ status, isOtherTab }) => states.push(isOtherTab ? 'other tab' : status.state),
    makeModule({ onStatus }: { onStatus(status: ModuleStatus): void; onPauses(pauses: WorldPause[]): void }) {
      fake.tell = onStatus;
      fake.module = {
        connect: vi.fn<TabletopModule['connect']>(() => {
          onStatus({ state: 'connected', clientId: 'c', instanceId: 'i' });
          return Promise.resolve();
        }),
        close: vi.fn<TabletopModule['close']>(),
        unpair: vi.fn<TabletopModule['unpair']>(async () => {
          await storage.save({ connectionToken: undefined });
          onStatus({ state: 'unpaired' });
          return true;
        }),
        pairByApproval: vi.fn<TabletopModule['pairByApproval']>(),
        serve: vi.fn<TabletopModule['serve']>(),
      } as unknown as TabletopModule;
      return fake.module;
    },
  });
  return { line, fake, states };
}

let locks: never;
beforeEach(() => void (locks = fakeLocks()));
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test('of two tabs one serves, and the other takes over when that one lets go', async () => {
  const [one, two] = [makeTab(locks), makeTab(locks)];
  await one.line.serve();
  await two.line.serve();
  await settle();
  expect([one.line.state.status.state, two.line.state.isOtherTab]).toEqual(['connected', true]);
  expect(two.fake.module.connect).not.toHaveBeenCalled();
  await one.line.unpair();
  await settle();
  expect(two.fake.module.connect).toHaveBeenCalledOnce();
  expect(two.line.state.isOtherTab).toBe(false);
});

test('a browser without a token asks for nothing, and one without locks asks the relay', async () => {
  const none = makeTab(locks, memoryStorage());
  await none.line.serve();
  expect(none.fake.module.connect).not.toHaveBeenCalled();
  const plain = makeTab(undefined as never);
  await plain.line.serve();
  expect(plain.fake.module.connect).toHaveBeenCalledOnce();
});

test('a person is told why a browser that waits may not take over, until it serves', async () => {
  const { line, fake } = makeTab(locks);
  fake.tell({ state: 'standby', clientId: 'c', instanceId: 'i' });
  const refuse = vi.mocked(fake.module.serve);
  refuse.mockRejectedValueOnce(new RelayError('rate_limited', 'a word of the protocol'));
  await line.serveHere();
  expect(line.state.problem).toBe('served-too-briefly');
  refuse.mockRejectedValueOnce(new RelayError('unavailable', 'another'));
  await line.serveHere();
  expect(line.state.problem).toBe('not-served');
  await line.serveHere();
  expect(line.state.problem).toBeUndefined();
  refuse.mockRejectedValueOnce(new RelayError('timeout', 'another'));
  await line.serveHere();
  fake.tell({ state: 'connected', clientId: 'c', instanceId: 'i' });
  expect(line.state.problem).toBeUndefined();
});

test('a token that the relay refuses is told from one that was given back', async () => {
  const { line, fake } = makeTab(locks);
  await line.serve();
  await settle();
  fake.tell({ state: 'unpaired' });
  expect(line.state.wasRefused).toBe(true);
  await line.unpair();
  expect(line.state.wasRefused).toBe(false);
});

test('a pairing opens its tab within the press, sends it to the relay’s page, and serves', async () => {
  const storage = memoryStorage();
  const { line, fake } = makeTab(locks, storage);
  const tab = {
    closed: false,
    location: { replace: vi.fn<(url: string) => void>() },
    close: vi.fn<() => void>(),
  };
  const openTab = vi.fn<() => Window>(() => tab as unknown as Window);
  vi.mocked(fake.module.pairByApproval).mockImplementation(async ({ onUrl }) => {
    onUrl('https://relay.example/pair/CODE');
    await storage.save({ connectionToken: 't', clientId: 'c' });
    return { clientId: 'c', relayUrl: 'wss://relay.example' };
  });
  const paired = line.pair('wss://relay.example', openTab);
  expect(openTab).toHaveBeenCalledOnce();
  await paired;
  await settle();
  expect(tab.location.replace).toHaveBeenCalledWith('https://relay.example/pair/CODE');
  expect(line.state.status.state).toBe('connected');
});

test.each([
  ['denied', false],
  ['aborted', true],
])('a pairing that ends as %s changes nothing', async (code, isSilent) => {
  const { line, fake } = makeTab(locks, memoryStorage());
  vi.mocked(fake.module.pairByApproval).mockRejectedValue(new PairingError(code, 'No'));
  await line.pair('wss://relay.example', () => null);
  expect(line.state.pairing).toBeUndefined();
  expect(line.state.problem === undefined).toBe(isSilent);
  expect(fake.module.connect).not.toHaveBeenCalled();
});
