import { signal } from '@preact/signals';
import type { Account, Problem } from '@tabletop-relay/contract';
import { createAccountClient } from '@tabletop-relay/sdk';

/** The account that is signed in; null if there is none, undefined as long as it is not known. */
export const account = signal<Account | null | undefined>(undefined);

/** The account API as the signed-in person; failures are `RelayError`s. A session that ended signs the page out. */
export const api = createAccountClient({
  async fetch(input, init) {
    const response = await fetch(input, init);
    if (response.status === 401 && (await endedSession(response.clone()))) account.value = null;
    return response;
  },
});

async function endedSession(response: Response): Promise<boolean> {
  const problem = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined;
  return problem?.code === 'session_missing' || problem?.code === 'session_invalid';
}

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** A whole list, page after page: `readAll(api.listApiKeys)`. */
export async function readAll<T>(
  readPage: (page: { limit: number; cursor: string | undefined }) => Promise<Page<T>>,
): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | undefined; ;) {
    const page: Page<T> = await readPage({ limit: 200, cursor });
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = page.nextCursor;
  }
}
