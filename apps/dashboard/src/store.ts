import { computed, effect, signal } from '@preact/signals';
import type { KnownClient } from '@tabletop-relay/contract';
import { account, api, readAll } from './request.ts';
import { createResource } from './resource.ts';

export const worlds = createResource(() => readAll(api.listKnownClients));
export const browsers = createResource(() => readAll(api.listConnectionTokens));
export const keys = createResource(() => readAll(api.listApiKeys));
export const secondFactors = createResource(() => api.listSecondFactors());
export const sessions = createResource(() => readAll(api.listSessions));
export const headlessSessions = createResource(() => readAll(api.listHeadlessSessions));
export const notificationSettings = createResource(() => api.getNotificationSettings());

/** Grows each time that something was added to a log of the account. */
export const logNews = signal(0);
/** The relay's version and offers, which anybody may read. */
export const relayStatus = createResource(() => api.getStatus());

/** Reads who is signed in. Never rejects; without an answer nobody is. */
export async function readAccount(): Promise<void> {
  try {
    account.value = await api.getAccount();
  } catch {
    account.value = null;
  }
}

const mark = 'signedIn';

/** Whether somebody was signed in when a page of this browser last looked. */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(mark) !== null;
  } catch {
    return false;
  }
}

/** Keeps for the other pages whether somebody is signed in; never who. */
export function rememberSignedIn(): void {
  effect(() => {
    if (account.value === undefined) return;
    try {
      if (account.value) localStorage.setItem(mark, 'yes');
      else localStorage.removeItem(mark);
    } catch {
      // Storage is switched off: the examples of the reference stay without the reader’s world.
    }
  });
}

/** Lets go of what belonged to the person who was signed in. */
export function forgetAll(): void {
  const all = [worlds, browsers, keys, secondFactors, sessions, headlessSessions, notificationSettings];
  for (const resource of all) resource.forget();
}

/** The time, for relative dates; it moves every few seconds. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => (now.value = Date.now()), 5_000);
}

/** Whether the worlds are shown as they were when the relay answered last. */
export const isAway = computed(() => worlds.problem.value !== undefined);

/** The name of a world as people know it. */
export const nameOf = (world: Pick<KnownClient, 'customName' | 'worldTitle' | 'worldId'>): string =>
  world.customName || world.worldTitle || world.worldId;

export const findWorld = (clientId: string): KnownClient | undefined =>
  worlds.data.value?.find((world) => world.clientId === clientId);

/** The name of a world; where another one of the account has the same, the beginning of its id tells them apart. */
export function worldLabel(world: KnownClient): string {
  const name = nameOf(world);
  const isDouble = worlds.data.value?.some((one) => one.clientId !== world.clientId && nameOf(one) === name);
  return isDouble ? `${name} (${world.clientId.slice(0, 8)})` : name;
}
