import type { OverlayLink } from './overlay-link.ts';
import type { Combatant, Fight, Health } from './picture.ts';
import { healthOf } from './picture.ts';

type Access = Pick<OverlayLink, 'key' | 'client'>;

interface EncounterList {
  encounters: { id: string; round: number; turn: number | null; current: boolean; combatants: Combatant[] }[];
}

/** Why something could not be read: the relay’s code, or undefined where it did not answer. */
export interface Unread {
  code: string | undefined;
}

/** The fight that is on; null where there is none. */
export async function readFight(link: Access, signal: AbortSignal): Promise<Fight | null | Unread> {
  const list = await read<EncounterList>(link, '/encounters', {}, signal);
  if ('code' in list) return list;
  const encounter = list.encounters.find(({ current }) => current);
  if (!encounter) return null;
  const { id: encounterId, round, turn, combatants } = encounter;
  return { encounterId, round, turn: turn ?? 0, combatants };
}

/** Hit points of actors. Those that cannot be read are left out until their next event. */
export async function readHealthOf(
  link: Access,
  actorUuids: readonly string[],
  signal: AbortSignal,
): Promise<[string, Health][]> {
  const found = await Promise.all(
    actorUuids.map(async (uuid): Promise<[string, Health][]> => {
      const answer = await read<{ data?: unknown }>(link, '/get', { uuid }, signal);
      const health = 'data' in answer ? healthOf(answer.data) : undefined;
      return health ? [[uuid, health]] : [];
    }),
  );
  return found.flat();
}

async function read<T extends object>(
  { key, client }: Access,
  path: string,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<T | Unread> {
  const fields = new URLSearchParams({ ...(client && { clientId: client }), ...query });
  try {
    const response = await fetch(`${path}?${fields.toString()}`, {
      credentials: 'omit',
      headers: { 'x-api-key': key, accept: 'application/json' },
      signal,
    });
    return (await response.json()) as T | Unread;
  } catch {
    return { code: undefined };
  }
}
