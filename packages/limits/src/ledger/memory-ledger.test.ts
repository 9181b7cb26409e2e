import { expect, it } from 'vitest';
import { createLedgerMemory, createMemoryLedger } from './memory-ledger.ts';

const windowMs = 1_000;
const ask = { quota: 'q', limit: 100, window: '', windowMs, held: 0, reserve: 0, needed: 0, wanted: 0 };

function setUp() {
  let now = 0;
  const memory = createLedgerMemory(() => now);
  return { memory, at: (ms: number) => void (now = ms) };
}

it('what an instance held counts where the ledger does not know it, and not again where it does', async () => {
  const { memory } = setUp();
  const ledger = createMemoryLedger('boot', memory);
  expect(await ledger.reserve({ ...ask, window: 'of another run', held: 7 })).toMatchObject({
    held: 7,
    remaining: 93,
  });
  // The instance began again and holds nothing that it knows of.
  expect(await ledger.reserve(ask)).toMatchObject({ held: 7, remaining: 93 });
});

it('a window ends once its length has passed', async () => {
  const { memory, at } = setUp();
  const ledger = createMemoryLedger('boot', memory);
  const { window } = (await ledger.reserve({ ...ask, needed: 1 })) ?? {};
  at(windowMs - 1);
  expect(await ledger.reserve(ask)).toMatchObject({ window, windowMs: 1, remaining: 99 });
  at(windowMs);
  expect(await ledger.reserve(ask)).toMatchObject({ windowMs, remaining: 100 });
});

it('a quota is forgotten when its window has ended, or when nothing of it is held where it has none', async () => {
  const { memory, at } = setUp();
  const ledger = createMemoryLedger('boot', memory);
  await ledger.reserve(ask);
  const held = [
    { quota: 'idle', held: 0 },
    { quota: 'held', held: 3 },
  ];
  for (const { quota, held: calls } of held)
    await ledger.reserve({ ...ask, quota, windowMs: 0, total: 0, held: calls });
  await createMemoryLedger('another', memory).reserve({ ...ask, quota: 'held', windowMs: 0, total: 0 });
  await ledger.heartbeat();
  expect([...memory.quotas.keys()]).toEqual(['q', 'held']);
  at(windowMs);
  await ledger.heartbeat();
  expect([...memory.quotas.keys()]).toEqual(['held']);
});
