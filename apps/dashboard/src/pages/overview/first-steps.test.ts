import { expect, it } from 'vitest';
import type { KnownClient } from '@tabletop-relay/contract';
import { firstSteps } from './first-steps.ts';

const world = {} as KnownClient;
const key = { name: 'Bot', createdAt: '2026-01-01T00:00:00Z', expiresAt: null, lastUsedAt: null };
const pageKey = { ...key, name: 'Try it: Chapel', expiresAt: '2026-01-01T01:00:00Z' };
const used = '2026-01-02T00:00:00Z';
const overview = { keys: [] };

it('tells what is done on the way to a first call', () => {
  expect(firstSteps({ worlds: [], keys: [], overview })).toEqual({ world: false, key: false, call: false });
  expect(firstSteps({ worlds: [world], keys: [key], overview })).toEqual({
    world: true,
    key: true,
    call: false,
  });
});

it('a call from these pages is a call, and their key is no key of the person’s', () => {
  const keys = [{ ...pageKey, lastUsedAt: used }];
  expect(firstSteps({ worlds: [world], keys, overview })).toEqual({ world: true, key: false, call: true });
});

it('is gone once all is done, and not there before anything is known', () => {
  const keys = [{ ...key, lastUsedAt: used }];
  expect(firstSteps({ worlds: [world], keys, overview })).toBeUndefined();
  expect(firstSteps({ worlds: [], keys: undefined, overview })).toBeUndefined();
});
