import { lookup } from 'node:dns/promises';
import { expect, it, vi } from 'vitest';
import { createAddressGuard } from './address-guard.ts';

/** Servers of names that know no name but `public.example`, and a system that never answers. */
vi.mock('node:dns/promises', () => {
  const notFound = () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
  return {
    lookup: vi.fn<() => Promise<never>>(() => new Promise(() => {})),
    Resolver: class {
      resolve4 = (host: string) => (host === 'public.example' ? Promise.resolve(['8.8.8.8']) : notFound());
      resolve6 = notFound;
      cancel(): void {}
    },
  };
});

it('guards of a process hold one thread at most of those that look names up, and names that servers know need none', async () => {
  const guards = [createAddressGuard({ allow: [] }), createAddressGuard({ allow: [] })];
  const signal = AbortSignal.timeout(200);
  const silent = guards.flatMap((guard) =>
    ['one', 'two', 'three'].map((host) => guard.resolve(host, signal)),
  );
  const ended = Promise.allSettled(silent);
  const found = await guards[0]?.resolve('public.example', signal);
  expect(found?.addresses).toEqual([{ address: '8.8.8.8', family: 4 }]);
  expect((await ended).map(({ status }) => status)).toEqual(Array<string>(6).fill('rejected'));
  expect(lookup).toHaveBeenCalledTimes(1);
});
