import { computed, signal } from '@preact/signals';
import type { Scope } from '@tabletop-relay/contract';
import { createPageKeys } from '../page-keys.ts';
import { account } from '../request.ts';
import { learnWhoIsIn, worlds } from '../store.ts';
import { sections } from './loaded.ts';

/** The world that the reader chose. */
export const chosenWorld = signal('');

/** The world in the examples: the chosen one, else one that is online; undefined for who has none. */
export const exampleWorld = computed(() => {
  const known = worlds.data.value ?? [];
  return (
    known.find(({ clientId }) => clientId === chosenWorld.value) ??
    known.find(({ isOnline }) => isOnline) ??
    known[0]
  );
});

/** Keys made for the examples of this page: each for one world, with the scopes of all calls that take a key. */
export const exampleKeys = createPageKeys({
  purpose: 'docs',
  scopes() {
    const entries = sections.peek().flatMap(({ groups }) => groups.flatMap((group) => group.entries));
    return [...new Set(entries.flatMap((entry) => entry['x-scope'] ?? []))] as Scope[];
  },
});

/** Reads the reader's worlds where somebody is signed in in this browser; strangers are asked nothing. */
export async function readAccess(): Promise<void> {
  await learnWhoIsIn();
  if (account.peek()) await worlds.reload();
}
