import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { createPageKeys } from './page-keys.ts';
import { findWorld } from './store.ts';

export interface WorldUser {
  id: string;
  name: string;
  isGM: boolean;
}

/** The users of a world; `away` where it cannot be asked, because it is offline, say. Undefined as long as it is not known. */
export type WorldUsers = readonly WorldUser[] | 'away' | undefined;

const usersKeys = createPageKeys({ purpose: 'users', scopes: () => ['user:read'] });
const read = signal<Readonly<Record<string, WorldUsers>>>({});

/** Asks a world for its users, as a program would. */
export function useWorldUsers(clientId: string): WorldUsers {
  const isOffline = findWorld(clientId)?.isOnline === false;
  useEffect(() => {
    if (isOffline || Array.isArray(read.peek()[clientId])) return;
    void readUsers(clientId).then((users) => (read.value = { ...read.peek(), [clientId]: users }));
  }, [clientId, isOffline]);
  return read.value[clientId] ?? (isOffline ? 'away' : undefined);
}

async function readUsers(clientId: string): Promise<WorldUsers> {
  try {
    const apiKey = await usersKeys.make(clientId);
    const response = await fetch(`/players?clientId=${encodeURIComponent(clientId)}`, {
      credentials: 'omit',
      headers: { 'x-api-key': apiKey },
    });
    if (response.status === 401) usersKeys.drop(apiKey);
    const { users } = (await response.json()) as { users?: WorldUser[] };
    return response.ok && Array.isArray(users) ? users : 'away';
  } catch {
    return 'away';
  }
}
