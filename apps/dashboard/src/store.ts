import { computed, effect, signal } from '@preact/signals';
import { placeOf } from '@tabletop-relay/contract';
import type { ApiKey, KnownClient, RelayStatus } from '@tabletop-relay/contract';
import { RelayError } from '@tabletop-relay/sdk';
import { useEffect } from 'preact/hooks';
import { account, api, readAll } from './request.ts';
import { createResource } from './resource.ts';
import { clockTime, dayTime } from './words/relative-time.ts';
import { markSignedIn, wasSignedIn } from './signed-in-mark.ts';

export const worlds = createResource(() => readAll(api.listKnownClients));
export const browsers = createResource(() => readAll(api.listConnectionTokens));
export const keys = createResource(() => readAll(api.listApiKeys));

/** Delay after which a key shows its last call: uses of keys are written twice a second, and later where the store is slow. */
export const usesSettleMs = 2_000;

export const attention = createResource(async () => (await api.listAttention()).items);
export const secondFactors = createResource(() => api.listSecondFactors());
export const sessions = createResource(() => readAll(api.listSessions));
export const headlessSessions = createResource(() => readAll(api.listHeadlessSessions));
export const notificationSettings = createResource(() => api.getNotificationSettings());

/** Grows each time that something was added to a log of the account. */
export const logNews = signal(0);
const relayStatus = createResource(() => api.getStatus());
let isStatusAsked = false;

/** Public facts of the relay. They are read when a page first needs them. */
export function useRelayStatus(): RelayStatus | undefined {
  useEffect(() => {
    if (isStatusAsked) return;
    isStatusAsked = true;
    void relayStatus.reload();
  }, []);
  return relayStatus.data.value;
}

/** Why the relay could not say who is signed in when it was asked last. */
export const accountProblem = signal<RelayError | undefined>(undefined);

/** Reads who is signed in. Never rejects: without an answer it stays as it was known, and `accountProblem` says why. */
export async function readAccount(): Promise<void> {
  const before = account.peek()?.id;
  try {
    const me = await api.getAccount();
    // Somebody else signed in in another tab: nothing of the one before may stay on the screen.
    if (before !== undefined && me.id !== before) location.reload();
    account.value = me;
    accountProblem.value = undefined;
  } catch (error) {
    if (!(error instanceof RelayError)) throw error;
    // A session that ended has signed the page out by now: `request.ts` follows that refusal.
    const isOut = error.code === 'session_missing' || error.code === 'session_invalid';
    accountProblem.value = isOut ? undefined : error;
    // After a sign-in there is an account, though it is not read yet.
    if (!isOut && account.peek() === null) account.value = undefined;
  }
}

let learning: Promise<void> | undefined;

/** Read of the relay’s offer for parts of a page that can wait: all of them share one request. */
export const learnWhoIsIn = (): Promise<void> => {
  if (!learning) rememberSignedIn();
  return (learning ??= readAccount());
};

/**
 * Whether somebody is in, as far as this browser knows: until the relay has answered, who was in when a page last
 * looked. So a page asks for what it shows at once, and not only after the relay has said who asks.
 */
export const isIn = computed(() => {
  const me = account.value;
  return me === undefined ? wasSignedIn() : me !== null && me.secondFactor !== 'missing';
});

/** Keeps for the other pages whether somebody is signed in. */
export function rememberSignedIn(): void {
  effect(() => {
    if (account.value === undefined) return;
    markSignedIn(account.value !== null);
  });
}

/** Lets go of what belonged to the person who was signed in. */
export function forgetAll(): void {
  const all = [
    worlds,
    browsers,
    keys,
    attention,
    secondFactors,
    sessions,
    headlessSessions,
    notificationSettings,
  ];
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

export const findKey = (id: string): ApiKey | undefined => keys.data.value?.find((key) => key.id === id);

/** The name of a world; where another one of the account has the same, browser and time tell them apart, and else the id. */
export function worldLabel(world: KnownClient): string {
  const name = nameOf(world);
  const alike = worlds.data.value?.filter((one) => nameOf(one) === name) ?? [];
  if (alike.length < 2) return name;
  const where = whereWords(world);
  const isAlone =
    where !== '' && alike.every((one) => one.clientId === world.clientId || whereWords(one) !== where);
  return `${name} (${isAlone ? where : world.clientId.slice(0, 8)})`;
}

/** "Chrome on Linux, since 21:04", "on a server, last 24 Nov". */
function whereWords({ tokenName, isOnline, connectedSince, lastSeenAt }: KnownClient): string {
  const time =
    isOnline && connectedSince
      ? `since ${clockTime(connectedSince)}`
      : lastSeenAt && `last ${dayTime(lastSeenAt)}`;
  return [placeOf(tokenName).replace(/^in /, '').trim(), time].filter(Boolean).join(', ');
}
