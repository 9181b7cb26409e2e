import type { FastifyRequest } from 'fastify';
import { invalidFields, ProblemError } from '../../problem.ts';

/** What a shorter body holds is parsed in a few milliseconds, whatever it is. */
const cheapLength = 64 * 1024;

/** A scene of five thousand walls, the densest thing that is sent often, has half as many. So many are parsed within a short turn. */
const usual = { brackets: 50_000, names: 120_000 } as const;

/** An actor with many items has an object or a list for thirty to fifty characters, and a name for twenty. */
const charactersPer = { brackets: 24, names: 16 } as const;

/** One costly body of an account in so long, and one of all accounts: each may hold up the event loop for some tenths of a second. */
const everyMs = { account: 10_000, instance: 1_000 } as const;

/**
 * Whether JSON holds more objects and lists, or more names, than what is usually sent: 8 MiB of them hold up the event loop for
 * a second, where the same length of long texts takes a tenth of it. Those within texts count as well, because finding out
 * would take longer.
 */
export function isCostly(json: string): boolean {
  if (json.length <= cheapLength) return false;
  return holdsMore(json, ['{', '['], usual.brackets) || holdsMore(json, [':'], usual.names);
}

/** Whether no document is as dense: then it is refused, and not only put off. */
export function isTooDense(json: string): boolean {
  const { brackets, names } = charactersPer;
  return (
    holdsMore(json, ['{', '['], Math.max(usual.brackets, json.length / brackets)) ||
    holdsMore(json, [':'], Math.max(usual.names, json.length / names))
  );
}

function holdsMore(json: string, characters: readonly string[], most: number): boolean {
  let left = Math.floor(most);
  for (const character of characters)
    for (let at = json.indexOf(character); at !== -1; at = json.indexOf(character, at + 1))
      if (left-- === 0) return true;
  return false;
}

/** Throws the problem to answer for a body that may not be parsed, or not now. */
export type AdmitJson = (request: FastifyRequest, json: string) => void;

/** Lets costly bodies pass one after the other: an account's callers, and those of all, find the time between. */
export function createAdmitJson(now: () => number = () => performance.now()): AdmitJson {
  /** The accounts whose last costly body is not long ago, in the order of their bodies, and until when. */
  const accounts = new Map<string, number>();
  let freeAt = 0;

  return (request, json) => {
    if (!isCostly(json)) return;
    if (isTooDense(json)) throw tooDense();
    const { accountId } = request.principal;
    const at = now();
    for (const [account, until] of accounts) if (until <= at) accounts.delete(account);
    const waitMs = Math.max(freeAt - at, (accounts.get(accountId) ?? 0) - at);
    if (waitMs > 0) throw putOff(waitMs);
    freeAt = at + everyMs.instance;
    accounts.set(accountId, at + everyMs.account);
  };
}

const tooDense = () =>
  invalidFields([
    {
      field: 'body',
      message: 'must not hold so many objects, lists and names for its length: send it in parts',
    },
  ]);

const putOff = (waitMs: number) =>
  new ProblemError(
    'overloaded',
    `Of JSON with more than ${usual.brackets} objects and lists, or ${usual.names} names, an account may send one in ${everyMs.account / 1_000} s. Nothing was sent; repeat the call.`,
    { retryAfterS: waitMs / 1_000 },
  );
