import type { Database } from '@tabletop-relay/database';
import type { MailMessage } from '@tabletop-relay/notifications';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import type { PromiseName, Tally } from '../tally.ts';

/** Two instances on one Postgres and one Redis, and where the findings go. */
export interface Arena {
  urls: readonly [string, string];
  db: Database;
  tally: Tally;
  /** What was mailed so far. */
  mails: readonly MailMessage[];
}

/** Everybody wants the same thing at the same moment. */
export interface Race {
  /** The guarantee that is raced for. */
  title: string;
  run(arena: Arena): Promise<void>;
  /** It uses up a limit, and can be run once on a pair of instances. */
  once?: true;
  /** Known to be lost: run by `pnpm attack` alone. */
  isLost?: true;
}

/** How many race. */
export const crowd = 50;

/** What `start` gives for each of the crowd, by turns at both instances, all under way at once. */
export async function together<T>(
  { urls }: Arena,
  start: (url: string, index: number) => Promise<T>,
  count = crowd,
): Promise<T[]> {
  return await Promise.all(
    Array.from({ length: count }, (_, index) => start(urls[index % 2 === 0 ? 0 : 1], index)),
  );
}

export interface Request {
  method?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** One counted request; with a body it is a POST. */
export async function ask(arena: Arena, url: string, path: string, request: Request = {}): Promise<Answer> {
  const { body, headers, method = body ? 'POST' : 'GET' } = request;
  const answer = await call(url, method, path, { body, ...(headers && { headers }) });
  arena.tally.answered(answer.status);
  if (answer.status === 500) arena.tally.found('internal', `${method} ${path}`, JSON.stringify(answer.body));
  return answer;
}

export const withKey = (key: unknown) => ({ 'x-api-key': String(key) });

export const newAccount = async ({ urls }: Arena): Promise<TestAccount> => await createAccount(urls[0]);

export const count = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

/** Reports where `actual` is not `expected`. */
export function expectCount(
  { tally }: Arena,
  what: { promise: PromiseName; of: string; actual: number; expected: number },
): void {
  if (what.actual !== what.expected)
    tally.found(what.promise, `${what.of}: ${what.actual} instead of ${what.expected}`);
}

/** Reports where `actual` is above `bound`. */
export function expectAtMost(
  { tally }: Arena,
  what: { promise?: PromiseName; of: string; actual: number; bound: number },
): void {
  if (what.actual > what.bound)
    tally.found(what.promise ?? 'unbounded', `${what.of}: ${what.actual} above ${what.bound}`);
}

/** Reports answers of another status than those that may be. */
export function expectStatuses(
  { tally }: Arena,
  of: string,
  answers: readonly Answer[],
  allowed: readonly number[],
): void {
  for (const { status, body } of answers)
    if (!allowed.includes(status)) tally.found('undocumented', `${of}: ${status}`, JSON.stringify(body));
}
