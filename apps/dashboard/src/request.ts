import { signal } from '@preact/signals';
import type { Account, FieldError, Problem } from '@tabletop-relay/contract';

/** Who is signed in; null: nobody; undefined: not known yet. */
export const account = signal<Account | null | undefined>(undefined);

/** A request that did not work, in words for the person. */
export class RequestFailed extends Error {
  override name = 'RequestFailed';
  readonly code: Problem['code'] | 'unreachable';
  readonly title: string;
  readonly traceId: string | undefined;
  readonly retryAfterS: number | undefined;
  /** What is wrong with which field of the form. */
  readonly fields: readonly FieldError[];

  constructor(problem: Partial<Problem>, retryAfterS?: number) {
    super(problem.detail ?? 'The relay does not answer. Check your connection and try again.');
    this.code = problem.code ?? 'unreachable';
    this.title = problem.title ?? 'No answer';
    this.traceId = problem.code === 'internal' ? problem.traceId : undefined;
    this.retryAfterS = retryAfterS;
    this.fields = (problem['errors'] as FieldError[] | undefined) ?? [];
  }
}

/** Asks the account API as the signed-in person; throws `RequestFailed`. A session that ended signs the page out. */
export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const answer: unknown = await response?.json().catch(() => undefined);
  if (response?.ok) return answer as T;
  const failed = new RequestFailed(answer ?? {}, Number(response?.headers.get('retry-after')) || undefined);
  if (failed.code === 'session_missing' || failed.code === 'session_invalid') account.value = null;
  throw failed;
}

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** One page of a list. */
export async function readPage<T>(
  path: string,
  query: Record<string, string | undefined> = {},
): Promise<Page<T>> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  return await send('GET', `${path}?${search.toString()}`);
}

/** A whole list, page after page. */
export async function readAll<T>(path: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | undefined; ;) {
    const page: Page<T> = await readPage(path, { limit: '200', cursor });
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = page.nextCursor;
  }
}
