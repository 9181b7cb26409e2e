import { createRelay } from '@tabletop-relay/sdk';
import type { OperationRow, Relay } from '@tabletop-relay/sdk';
import { refusedBySdk, UsageError } from './terminal/failures.ts';
import type { Given, OwnFlag } from './arguments/flags.ts';
import { note } from './terminal/io.ts';
import type { Io } from './terminal/io.ts';
import { readProfiles } from './profiles.ts';
import { version } from './version.ts';

/** Flags of every command that asks a relay. */
export const commonFlags: readonly OwnFlag[] = [
  { flag: 'profile', value: 'name', says: 'The relay to ask, as `tabletop status` lists them.' },
  { flag: 'timeout', value: 'seconds', says: 'How long one try may take.' },
  {
    flag: 'retries',
    value: 'number',
    says: 'How often to repeat what is safe to repeat: what was not sent, and what only reads.',
  },
  { flag: 'json', says: 'Answer with JSON on a terminal too.' },
  { flag: 'debug', says: 'Tell on standard error what is asked of the relay. Keys are never in it.' },
  { flag: 'help', says: 'Tell about this command.' },
];

export const worldFlag: OwnFlag = {
  flag: 'world',
  value: 'clientId',
  says: 'The world to ask; needed only where the key reaches several that are online.',
};

export interface Connection {
  url: string;
  apiKey: string;
  fetch: typeof globalThis.fetch;
  /** Where the key comes from: a profile's name, or undefined for the environment. */
  profile: string | undefined;
  timeoutMs: number | undefined;
  retries: number;
}

/** Finds the relay and the key: the environment first, then the profile. Nothing is asked of the relay. */
export function connectionOf({ flags }: Given, io: Io): Connection {
  const chosen = chooseKey(textOf(flags['profile']), io.env);
  const seconds = numberOf('timeout', flags['timeout']);
  return {
    ...chosen,
    fetch: fetchOf(io, flags['debug'] === true),
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    retries: numberOf('retries', flags['retries']) ?? 0,
  };
}

export interface RelayChoice extends Connection {
  world?: string | undefined;
  /** What is asked, as `relay.cli.call`. */
  request?: OperationRow;
}

/** The relay as the SDK has it, with one more method: the operation that this command asks. */
export function relayOf({ url, apiKey, fetch, retries, timeoutMs, world, request }: RelayChoice) {
  type Call = (parameters: object, options: object) => Promise<object>;
  try {
    return createRelay({
      url,
      apiKey,
      fetch,
      retries,
      ...(world === undefined ? {} : { clientId: world }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(request ? { operations: { cli: { call: request } } } : {}),
    }) as Relay & { cli: { call: Call } };
  } catch (error) {
    throw refusedBySdk(error);
  }
}

type Chosen = Pick<Connection, 'url' | 'apiKey' | 'profile'>;

function chooseKey(named: string | undefined, env: Io['env']): Chosen {
  const { TABLETOP_URL: url, TABLETOP_KEY: apiKey } = env;
  if (named === undefined && apiKey) {
    // A key is sent to no other relay than its own.
    if (!url) throw new UsageError('TABLETOP_URL must name the relay that TABLETOP_KEY is for.');
    return { url, apiKey, profile: undefined };
  }
  const { current, profiles } = readProfiles(env);
  const names = Object.keys(profiles).filter((name) => !url || sameRelay(profiles[name]?.url ?? '', url));
  const name = named ?? names.find((one) => one === current) ?? (url ? names[0] : undefined);
  const profile = name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile && name !== undefined) return { url: profile.url, apiKey: profile.apiKey, profile: name };
  throw new UsageError(
    named === undefined
      ? `Nobody is logged in${url ? ` to ${url}` : ''}. Run: tabletop login <address of the relay>`
      : `There is no profile ${JSON.stringify(named)}. See: tabletop status`,
  );
}

const sameRelay = (one: string, other: string): boolean =>
  one.replace(/\/+$/, '') === other.replace(/\/+$/, '');

export const textOf = (value: Given['flags'][string]): string | undefined =>
  typeof value === 'string' ? value : undefined;

function numberOf(flag: string, value: Given['flags'][string]): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isFinite(number) && number >= 0 && value !== '') return number;
  throw new UsageError(`--${flag} takes a number.`);
}

/** The platform's `fetch` under our name, which tells of itself where it is asked to. */
export function fetchOf(io: Io, isDebug: boolean): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = { ...(init?.headers as Record<string, string>), 'user-agent': `tabletop/${version}` };
    const started = performance.now();
    const told = isDebug
      ? `${init?.method ?? 'GET'} ${placeOf(input instanceof Request ? input.url : input)}`
      : '';
    try {
      const response = await io.fetch(input, { ...init, headers });
      if (isDebug) {
        const id = response.headers.get('x-request-id');
        await note(io, `${told} ${response.status} ${msSince(started)}${id ? ` x-request-id ${id}` : ''}`);
      }
      return response;
    } catch (error) {
      if (isDebug) await note(io, `${told} failed after ${msSince(started)}`);
      throw error;
    }
  };
}

const msSince = (started: number): string => `${Math.round(performance.now() - started)} ms`;

/** Without the query, which may hold what a person wrote, and without the code of a key request. */
function placeOf(address: string | URL): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/(\/auth\/key-request\/)[^/]+/, '$1...');
}
