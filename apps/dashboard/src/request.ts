import { signal } from '@preact/signals';
import type { Account, Problem } from '@tabletop-relay/contract';
import { createAccountClient } from '@tabletop-relay/sdk';
import { takeAskedFirst } from './asked-first.ts';
import { wasSignedIn } from './signed-in-mark.ts';

/** The account that is signed in; null if there is none, undefined as long as it is not known. */
export const account = signal<Account | null | undefined>(undefined);

/** Whether a session ended by itself: somebody who was in finds the form to sign in, and did not sign out. */
export const wasEnded = signal(false);

/** The account API as the signed-in person; failures are `RelayError`s. The page follows some of them. */
export const api = createAccountClient({
  async fetch(input, init) {
    const ask = () => fetch(input, init);
    const response = await (takeAskedFirst(init?.method, input)?.catch(ask) ?? ask());
    await followRefusal(response);
    return response;
  },
});

/** A session that ended signs the page out; an administrator without a second factor is led to set one up. */
async function followRefusal(response: Response): Promise<void> {
  if (response.status !== 401 && response.status !== 403) return;
  const problem = (await response
    .clone()
    .json()
    .catch(() => undefined)) as Partial<Problem> | undefined;
  const code = problem?.code;
  if (code === 'session_missing' || code === 'session_invalid') {
    wasEnded.value ||= wasSignedIn();
    account.value = null;
  }
  const me = account.value;
  if (code === 'second_factor_missing' && me) account.value = { ...me, secondFactor: 'missing' };
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
