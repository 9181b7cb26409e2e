import { signal } from '@preact/signals';
import type { Account, ApiKey, ConnectionToken, KnownClient, Session } from '@tabletop-relay/contract';
import { account, readAll, send } from './request.ts';
import { createResource } from './resource.ts';

export const worlds = createResource(() => readAll<KnownClient>('/auth/known-clients'));
export const browsers = createResource(() => readAll<ConnectionToken>('/auth/connection-tokens'));
export const keys = createResource(() => readAll<ApiKey>('/auth/api-keys'));
export const sessions = createResource(() => readAll<Session>('/auth/sessions'));

/** What the relay says of itself to anybody. */
export const relayStatus = createResource(() =>
  send<{ version: string; registration: 'open' | 'closed'; websocket: string }>('GET', '/api/status'),
);

/** Reads who is signed in. Never rejects; without an answer nobody is. */
export async function readAccount(): Promise<void> {
  try {
    account.value = await send<Account>('GET', '/auth/account');
  } catch {
    account.value = null;
  }
}

/** Lets go of what belonged to the person who was signed in. */
export function forgetAll(): void {
  for (const resource of [worlds, browsers, keys, sessions]) resource.forget();
}

/** The time, for relative dates; it moves every few seconds. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => (now.value = Date.now()), 5_000);
}

/** The name of a world as people know it. */
export const nameOf = (world: Pick<KnownClient, 'customName' | 'worldTitle' | 'worldId'>): string =>
  world.customName || world.worldTitle || world.worldId;

export const findWorld = (clientId: string): KnownClient | undefined =>
  worlds.data.value?.find((world) => world.clientId === clientId);
