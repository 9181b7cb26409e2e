import type { Flood } from './flood.ts';

const held = { kind: 'bodies', addresses: 4, perSecond: 500, method: 'POST' } as const;
/** What 500 connections may take, with a heap that grows by steps: a tenth of what they send. */
const maxGrowthMb = 160;

export const bodyFloods: readonly Flood[] = [
  {
    title: 'bodies to a path that is not there, on 500 connections',
    task: () => ({ ...held, path: '/nowhere' }),
    maxGrowthMb,
  },
  {
    title: 'bodies that never end, on 500 connections',
    // Just what the route takes: a longer one is refused at its head.
    task: () => ({ ...held, path: '/auth/login', size: 65_000 }),
    maxGrowthMb,
  },
];
