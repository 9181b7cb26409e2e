import type { RunningProcess } from '@tabletop-relay/database';
import { expect, it, vi } from 'vitest';
import { watchOthers } from './instance-reports.ts';

const worker: RunningProcess = { kind: 'worker', instanceId: 'worker-1', keyIds: ['a'] };

function newWatch() {
  const warn = vi.fn<() => void>();
  const { look } = watchOthers({ keyIds: ['a'], log: { warn } });
  return { warn, see: (...processes: RunningProcess[]) => look([], processes) };
}

it('a worker that stays away is told once, and again after one was there', () => {
  const { warn, see } = newWatch();
  see(worker);
  for (let looks = 0; looks < 10; looks++) see();
  expect(warn).toHaveBeenCalledOnce();
  see(worker);
  for (let looks = 0; looks < 10; looks++) see();
  expect(warn).toHaveBeenCalledTimes(2);
});

it('one whose report comes after ours when Postgres is back is not told, nor that there never was one', () => {
  const { warn, see } = newWatch();
  for (let looks = 0; looks < 10; looks++) see();
  for (const seen of [[worker], [], [], [worker]]) see(...seen);
  expect(warn).not.toHaveBeenCalled();
});
