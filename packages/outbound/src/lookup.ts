import { Resolver, lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { FoundAddress, LookupAll } from './found-address.ts';
import { createSystemQueue } from './system-queue.ts';

/** Whom a name is asked of. */
export interface LookupSources {
  /** The text of the hosts file; empty where there is none. */
  readHosts(): Promise<string>;
  /** One for each look-up, so that it can be called off alone. */
  createResolver(): Pick<Resolver, 'resolve4' | 'resolve6' | 'cancel'>;
  /** `getaddrinfo`, one look-up at a time. */
  askSystem: LookupAll;
  /** For all of it. */
  timeoutMs: number;
}

/**
 * Looks a name up where the operating system would, but not through it: `getaddrinfo` keeps one of the few threads in which Node looks up
 * Postgres, Redis and the mail server too, for as long as a server of names is silent, and it cannot be called off. So the hosts file is read, and
 * the servers of names are asked, by Node itself. Only what they do not know is asked of the system, one at a time: it
 * may know the name by a search domain or by means of its own.
 */
export function createLookup(sources: LookupSources): LookupAll {
  return async (host, signal) => {
    const deadline = AbortSignal.timeout(sources.timeoutMs);
    const ended = signal ? AbortSignal.any([signal, deadline]) : deadline;
    ended.throwIfAborted();
    const name = host.toLowerCase().replace(/\.$/, '');
    const named = findInHosts(await sources.readHosts(), name);
    if (named.length > 0) return named;
    const found = isNumber.test(name) ? [] : await askServers(sources.createResolver(), host, ended);
    return found.length > 0 ? found : await sources.askSystem(host, ended);
  };
}

/** `0x7f.1` is an address in another form, which the system reads without asking anybody. */
const isNumber = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;

function findInHosts(text: string, name: string): FoundAddress[] {
  const found = new Set<string>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) > 0 && names.some((other) => other.toLowerCase() === name)) found.add(address);
  }
  return [...found].map((address) => ({ address, family: isIP(address) }));
}

/** The codes of a server that does not answer, or whose own does not. Such a name would hold up the system as well. */
const silent = new Set(['ETIMEOUT', 'ECANCELLED', 'ESERVFAIL']);

/** Empty where the name has no address. Rejects where nobody answers. */
async function askServers(
  resolver: ReturnType<LookupSources['createResolver']>,
  host: string,
  ended: AbortSignal,
): Promise<FoundAddress[]> {
  ended.throwIfAborted();
  const cancel = () => resolver.cancel();
  ended.addEventListener('abort', cancel, { once: true });
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  ended.removeEventListener('abort', cancel);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  // One of both that stays silent is no reason to refuse what the other found: each address is checked.
  if (found.length > 0) return found;
  for (const answer of [four, six]) {
    if (answer.status === 'rejected' && silent.has(codeOf(answer.reason))) throw answer.reason;
  }
  return [];
}

const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException).code);

const perTry = { timeout: 1_500, tries: 2 };

/** The queue is one for the whole process, however many guards it has. */
export const lookUp = createLookup({
  readHosts: () => readFile('/etc/hosts', 'utf8').catch(() => ''),
  createResolver: () => new Resolver(perTry),
  askSystem: createSystemQueue((host) => lookup(host, { all: true, order: 'verbatim' }), { waiting: 100 }),
  timeoutMs: 8_000,
});
