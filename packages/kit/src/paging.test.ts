import { describe, expect, it } from 'vitest';
import { paged } from './paging.ts';

const rows = ['e', 'd', 'c', 'b', 'a'].map((id) => ({ id }));

/** A list as rooms read theirs: newest first, below the cursor. */
const read = ({ limit, cursor }: { limit: number; cursor?: string | undefined }) =>
  Promise.resolve(rows.filter(({ id }) => cursor === undefined || id < cursor).slice(0, limit));

const idsOf = async (request: Parameters<typeof paged>[0]) => {
  const { items, nextCursor } = await paged(request, read);
  return [items.map(({ id }) => id).join(''), nextCursor];
};

describe('a list in pages', () => {
  it('shows each item once, and ends with a page that has no next one', async () => {
    expect(await idsOf({ limit: 2 })).toEqual(['ed', 'd']);
    expect(await idsOf({ limit: 2, cursor: 'd' })).toEqual(['cb', 'b']);
    expect(await idsOf({ limit: 2, cursor: 'b' })).toEqual(['a', null]);
  });

  it('has no next page where the last one is exactly full, and none where there is nothing', async () => {
    expect(await idsOf({ limit: 5 })).toEqual(['edcba', null]);
    expect(await idsOf({ limit: 5, cursor: 'a' })).toEqual(['', null]);
  });

  it('has fifty items unless another limit is asked for', async () => {
    const limits: number[] = [];
    await paged({}, ({ limit }) => {
      limits.push(limit);
      return Promise.resolve([...rows]);
    });
    expect(limits).toEqual([51]);
  });

  it('goes on after the world where worlds are listed', async () => {
    const worlds = [{ clientId: 'y' }, { clientId: 'x' }];
    expect(await paged({ limit: 1 }, () => Promise.resolve([...worlds]))).toEqual({
      items: [{ clientId: 'y' }],
      nextCursor: 'y',
    });
  });

  it('passes on why it could not be read', async () => {
    await expect(paged({}, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });
});
