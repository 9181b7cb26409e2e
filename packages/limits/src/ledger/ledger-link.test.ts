import { expect, it, vi } from 'vitest';
import { createLedgerLink } from './ledger-link.ts';
import type { Ledger } from './ledger.ts';

function setUp() {
  const beats: PromiseWithResolvers<number>[] = [];
  const heartbeat = () => {
    const beat = Promise.withResolvers<number>();
    beats.push(beat);
    return beat.promise;
  };
  const log = { info: vi.fn<(fields: object) => void>(), warn: vi.fn<(fields: object) => void>() };
  const onRecovery = vi.fn<() => void>();
  const link = createLedgerLink({
    ledger: { heartbeat } as unknown as Ledger,
    log,
    now: () => 0,
    onRecovery,
  });
  return { link, beats, log, onRecovery };
}

it('one heartbeat is in flight at a time', async () => {
  const { link, beats } = setUp();
  const first = link.heartbeat();
  await link.heartbeat();
  expect(beats).toHaveLength(1);
  beats[0]?.resolve(1);
  await first;
  void link.heartbeat();
  expect(beats).toHaveLength(2);
});

it('an outage is told once when it begins and once when it ends, and a number of instances when it changes', async () => {
  const { link, beats, log, onRecovery } = setUp();
  const beat = async (answer: number | Error) => {
    const ended = link.heartbeat();
    if (answer instanceof Error) beats.at(-1)?.reject(answer);
    else beats.at(-1)?.resolve(answer);
    await ended;
  };
  await beat(2);
  await beat(2);
  expect([link.isDown, link.instances, onRecovery.mock.calls.length]).toEqual([false, 2, 1]);
  expect(log.info.mock.calls.map(([fields]) => fields)).toEqual([{ instances: 2 }]);
  await beat(3);
  expect(log.info).toHaveBeenCalledTimes(2);
  expect(onRecovery).toHaveBeenCalledTimes(1);
  await beat(new Error('away'));
  expect(log.warn).toHaveBeenCalledTimes(1);
  await beat(new Error('away'));
  expect([link.isDown, log.warn.mock.calls.length]).toEqual([true, 1]);
  await beat(3);
  expect([link.isDown, onRecovery.mock.calls.length]).toEqual([false, 2]);
});
