import { describe, expect, it, vi } from 'vitest';
import type { Principal } from '../keys/authenticate.ts';
import { ProblemError } from '../problem.ts';
import { createReadRecent } from './recent-events.ts';
import type { RecentEventsDeps } from './recent-events.ts';

const pauses = { liftedAt: () => 0, standing: () => null, ofWorld: () => [] };
const key = {
  accountId: 'account', keyId: 'key', clientIds: null, actingUserIds: null, scopes: new Set(['events:subscribe']), pauses,
} as unknown as Principal; // prettier-ignore
const asBen = { ...key, actingUserIds: new Map([['client', 'ben']]) } as Principal;

/** `now`: the key as it is when the body has come; `later`: as it is when the events were read. */
function setUp({ now = key, later = now }: { now?: Principal | Error; later?: Principal | Error }) {
  const orThrow = async (value: Principal | Error) => {
    if (value instanceof Error) throw value;
    return value;
  };
  const leave = vi.fn<() => void>();
  const end = vi.fn<() => void>();
  const follow = vi.fn<() => Promise<unknown>>().mockResolvedValue({
    missed: [], position: { gen: 'gen', n: 0 }, isOnline: true, recovered: true, start: () => {}, stop: () => {},
  }); // prettier-ignore
  const readRecent = createReadRecent({
    cluster: {
      directory: { find: () => Promise.resolve(new Map()) },
      seats: { take: () => Promise.resolve({ outcome: 'taken', leave }) },
      streams: { follow },
    },
    chooseClient: () => Promise.resolve('client'),
    findDeclared: () => Promise.resolve(undefined),
    explainAbsence: () => Promise.resolve(new ProblemError('client_offline')),
    keys: { renew: () => orThrow(now) },
    limits: { monthly: { spend: () => Promise.resolve(0), count: () => {} } },
    settings: { streamsPerKey: 1, streamsPerAccount: 1 },
    watchOpening: () => ({ recheck: () => orThrow(later), end }),
    leaving: new AbortController().signal,
  } as unknown as RecentEventsDeps);
  const caller = { admitted: key, narrow: (principal: Principal) => principal };
  const read = () => readRecent({ channel: 'chat' }, caller, new AbortController().signal);
  return { read, follow, leave, end };
}

describe('the recent events of a key', () => {
  it('are read once, and leave no place taken', async () => {
    const { read, leave, end } = setUp({});
    expect(await read()).toMatchObject({ events: [], after: 'gen:0', worldOnline: true });
    expect([leave.mock.calls.length, end.mock.calls.length]).toEqual([1, 1]);
  });

  it('are not read where it was revoked while the request came', async () => {
    const { read, follow, end } = setUp({ now: new ProblemError('key_invalid') });
    await expect(read()).rejects.toMatchObject({ code: 'key_invalid' });
    expect(follow).not.toHaveBeenCalled();
    expect(end).toHaveBeenCalledOnce();
  });

  it.each([
    ['key_invalid', new ProblemError('key_invalid')],
    ['scope_missing', { ...key, scopes: new Set<never>() }],
    ['client_not_found', { ...key, clientIds: new Set(['other']) }],
    ['unavailable', asBen],
  ])('are not told with %s where that became so while they were awaited', async (code, later) => {
    const { read, leave } = setUp({ later });
    await expect(read()).rejects.toMatchObject({ code });
    expect(leave).toHaveBeenCalledOnce();
  });
});
