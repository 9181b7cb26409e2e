import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createAddressGuard } from './address-guard.ts';
import type { FoundAddress } from './found-address.ts';
import { createLookup } from './lookup.ts';

type Answer = string[] | { code: string } | 'silent';

const hosts = `
# the receivers of this house
10.0.0.5   Hooks.internal hooks   # the second name counts too
fd00::5    hooks
127.0.0.1  localhost
nonsense   broken
`;
const bySystem: FoundAddress[] = [{ address: '10.9.9.9', family: 4 }];
const nobody = { code: 'ENOTFOUND' };

/** A look-up whose servers of names answer so; it notes who was asked. */
function sources(four: Answer, six: Answer = nobody, timeoutMs = 100) {
  const asked: string[] = [];
  const lookUp = createLookup({
    readHosts: () => Promise.resolve(hosts),
    createResolver() {
      const waiting: ((error: Error) => void)[] = [];
      const answer = (kind: string, given: Answer) => (host: string) => {
        asked.push(`${kind} ${host}`);
        if (given === 'silent') return new Promise<never>((_, reject) => waiting.push(reject));
        if (Array.isArray(given)) return Promise.resolve(given);
        return Promise.reject(Object.assign(new Error(given.code), given));
      };
      return {
        resolve4: answer('A', four),
        resolve6: answer('AAAA', six),
        cancel() {
          asked.push('cancelled');
          for (const reject of waiting) reject(Object.assign(new Error('cancelled'), { code: 'ECANCELLED' }));
        },
      } as unknown as ReturnType<Parameters<typeof createLookup>[0]['createResolver']>;
    },
    askSystem: (host) => {
      asked.push(`system ${host}`);
      return Promise.resolve(bySystem);
    },
    timeoutMs,
  });
  return { asked, lookUp };
}

describe('a name', () => {
  it('of the hosts file is asked of nobody', async () => {
    const { asked, lookUp } = sources(['8.8.8.8']);
    expect(await lookUp('HOOKS.')).toEqual([
      { address: '10.0.0.5', family: 4 },
      { address: 'fd00::5', family: 6 },
    ]);
    expect(await lookUp('hooks.internal')).toEqual([{ address: '10.0.0.5', family: 4 }]);
    expect(await lookUp('localhost')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(asked).toEqual([]);
  });

  it('that the servers of names know is not asked of the system', async () => {
    const { asked, lookUp } = sources(['8.8.8.8', '8.8.4.4'], ['2606:4700::1']);
    expect(await lookUp('hooks.example')).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '8.8.4.4', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    expect(asked).toEqual(['A hooks.example', 'AAAA hooks.example']);
  });

  it.each([
    ['that they do not know', nobody, nobody],
    ['without an address', { code: 'ENODATA' }, { code: 'ENODATA' }],
    ['where there are none', { code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }],
  ])('%s is asked of the system', async (_name, four, six) => {
    const { asked, lookUp } = sources(four, six);
    expect(await lookUp('receiver')).toEqual(bySystem);
    expect(asked.at(-1)).toBe('system receiver');
  });

  it.each(['2130706433', '0x7f.1', '0', 'a.127.1'])('%s is the system’s alone to read', async (host) => {
    const { asked, lookUp } = sources(['8.8.8.8']);
    expect(await lookUp(host)).toEqual(bySystem);
    expect(asked).toEqual([`system ${host}`]);
  });

  it.each([
    ['ETIMEOUT', 'ETIMEOUT'],
    ['ESERVFAIL', 'ESERVFAIL'],
    ['ENOTFOUND', 'ETIMEOUT'],
  ])('whose server does not answer (%s, %s) is not asked of the system', async (four, six) => {
    const { asked, lookUp } = sources({ code: four }, { code: six });
    await expect(lookUp('dead.example')).rejects.toMatchObject({ code: six });
    expect(asked).not.toContain('system dead.example');
  });

  it('of which one kind of address is not answered has the other', async () => {
    const { lookUp } = sources(['8.8.8.8'], 'silent');
    expect(await lookUp('half.example')).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });
});

describe('a look-up', () => {
  it('is called off in time', async () => {
    const { asked, lookUp } = sources('silent', 'silent');
    await expect(lookUp('dead.example')).rejects.toThrow('cancelled');
    expect(asked).toEqual(['A dead.example', 'AAAA dead.example', 'cancelled']);
  });

  it('is called off when its caller leaves, and leaves nothing at the signal', async () => {
    const { asked, lookUp } = sources('silent', 'silent', 60_000);
    const guard = createAddressGuard({ allow: [], lookup: lookUp });
    const caller = new AbortController();
    const resolved = guard.resolve('dead.example', caller.signal);
    setTimeout(() => caller.abort(new Error('the caller left')), 20);
    await expect(resolved).rejects.toThrow('the caller left');
    await expect.poll(() => asked.at(-1)).toBe('cancelled');
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });
});
