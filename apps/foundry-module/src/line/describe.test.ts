import { PairingError } from '@tabletop-relay/module-sdk';
import type { ModuleStatus } from '@tabletop-relay/module-sdk';
import { expect, test } from 'vitest';
import { contractWords } from '../words/contract-words.ts';
import { english } from '../words/english.ts';
import { describe as describeLine } from './describe.ts';
import { unpaired as calm } from './line.ts';
import type { LineState } from './line.ts';

const other = { title: 'Another', clientId: 'c', pairedRelayUrl: '', isSameWorld: true };
const facts = { relayUrl: 'wss://relay.example', other: undefined, isGameMaster: true, pausedBy: '' };
const waiting = (closeCode: number): { status: ModuleStatus } => ({
  status: { state: 'waiting', retryAt: 0, reason: 'r', closeCode },
});
const paused = [{ setIn: 'relay', since: '2026-01-01T00:00:00.000Z' } as const];
/** The relay has not heard yet that the tabletop lifted it. */
const lifted = [{ setIn: 'tabletop', since: '2026-01-01T00:00:00.000Z' } as const];
const standby: ModuleStatus = { state: 'standby', clientId: 'c', instanceId: 'i' };
const connected: ModuleStatus = { state: 'connected', clientId: 'c', instanceId: 'i' };

test.each<[string, string, Partial<LineState>, Partial<typeof facts> | { other: typeof other }]>([
  ['off', 'none', {}, { isGameMaster: false }],
  ['unpaired', 'pair', {}, {}],
  ['refused', 'pair', { wasRefused: true }, {}],
  ['pairing', 'give-up', { pairing: { pageUrl: undefined, isBlocked: false } }, {}],
  ['connecting', 'retry', { status: { state: 'connecting' } }, {}],
  ['connected', 'open-relay', { status: connected }, {}],
  ['paused', 'open-relay', { status: connected, pauses: paused }, {}],
  ['paused-here', 'resume', { status: connected, pauses: lifted }, {}],
  ['paused-here', 'resume', { status: connected }, { pausedBy: 'Ada' }],
  ['paused-here', 'resume', { isOtherTab: true }, { pausedBy: 'Ada' }],
  ['paused-here', 'resume', { status: standby }, { pausedBy: 'Ada' }],
  ['unreachable', 'open-relay', waiting(1006), { pausedBy: 'Ada' }],
  ['other-tab', 'test', { isOtherTab: true }, {}],
  ['standby', 'serve', { status: standby }, {}],
  ['other-module', 'retry', { status: standby }, { other }],
  ['other-browser', 'retry', waiting(4004), {}],
  ['other-module', 'retry', waiting(4004), { other }],
  ['address-refused', 'open-relay', waiting(4003), {}],
  ['unreachable', 'open-relay', waiting(1006), {}],
  ['trouble', 'retry', waiting(4000), {}],
  ['trouble', 'retry', waiting(1012), {}],
  ['mixed', 'change-address', { problem: new PairingError('insecure_url', 'x') }, {}],
  ['mixed', 'change-address', { status: { state: 'closed', code: 'insecure_url', reason: 'x' } }, {}],
  ['closed', 'retry', { status: { state: 'closed', code: 'closed', reason: 'x' } }, {}],
])('%s has one action, %s', (standing, action, state, more) => {
  expect(describeLine({ ...calm, ...state }, { ...facts, ...more })).toMatchObject({
    standing,
    action,
    data: { relay: 'relay.example' },
  });
});

test('each state has a title, a text and words for its action', () => {
  const standings = Object.keys(english).flatMap((key) => /^state\.([\w-]+)\.title$/.exec(key)?.[1] ?? []);
  expect(standings).toHaveLength(17);
  const wanted = standings.flatMap((one) => [
    `state.${one}.text`,
    ...(one === 'off' ? [] : [`state.${one}.action`]),
  ]);
  expect(wanted.filter((key) => !(key in english))).toEqual([]);
});

test('no key is the beginning of another: the tabletop reads them as a tree', () => {
  const keys = [...Object.keys(english), ...Object.keys(contractWords())];
  expect(keys.filter((key) => keys.some((one) => one.startsWith(`${key}.`)))).toEqual([]);
});
