import { createAddressGuard } from '@tabletop-relay/outbound';
import { expect, it } from 'vitest';
import { createClientDocuments } from './client-documents.ts';

/** Documents at addresses that are refused, so that nothing is sent. What an account that is `stuck` asks for waits for ever. */
function newDocuments({ stuck }: { stuck?: string } = {}) {
  const counts = new Map<string, number>();
  const names: string[] = [];
  const documents = createClientDocuments({
    guard: createAddressGuard({ allow: [] }),
    quotas: {
      hit(key) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return Promise.resolve({ count: counts.get(key) ?? 0, resetMs: 3_600_000 });
      },
    },
    async oneByOne(name, work) {
      names.push(name);
      if (stuck !== undefined && name.endsWith(` ${stuck}`)) await new Promise<never>(() => {});
      return await work();
    },
  });
  const read = (name: string, account: string) => documents.read(`https://127.0.0.1/${name}`, account);
  return { read, names };
}

it('a document is fetched for an account sixty times an hour at most, and for others all the same', async () => {
  const { read, names } = newDocuments();
  const found: unknown[] = [];
  // oxlint-disable-next-line no-await-in-loop -- One after the other.
  for (let name = 0; name < 62; name++) found.push(await read(`${name}.json`, 'one'));
  expect(found.slice(0, 60).every((one) => one === 'document_unreachable')).toBe(true);
  expect(found.slice(60)).toEqual(['busy', 'busy']);
  expect(new Set(names).size).toBe(1);
  expect(await read('61.json', 'other')).toBe('document_unreachable');
  expect(new Set(names).size).toBe(2);
  // What is known costs nobody a fetch.
  expect(await read('5.json', 'one')).toBe('document_unreachable');
});

it('who waits for a document behind slow ones of its own keeps no other account waiting for it', async () => {
  const { read } = newDocuments({ stuck: 'one' });
  void read('wanted.json', 'one');
  expect(await read('wanted.json', 'other')).toBe('document_unreachable');
});
