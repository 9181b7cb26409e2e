import type { OverlayLink } from './overlay-link.ts';
import type { Combatant, Fight, Health } from './picture.ts';
import { readHealth } from './picture.ts';

interface EncounterList {
  encounters: { id: string; round: number; turn: number; current: boolean; combatants: Combatant[] }[];
}

/** The fight that is on; null where there is none, undefined where it cannot be read. */
export async function readFight(link: OverlayLink, signal: AbortSignal): Promise<Fight | null | undefined> {
  const list = await read<EncounterList>(link, '/encounters', {}, signal);
  if (!list) return undefined;
  const encounter = list.encounters.find(({ current }) => current);
  if (!encounter) return null;
  const { id: encounterId, round, turn, combatants } = encounter;
  return { encounterId, round, turn, combatants };
}

/** Hit points of actors. Those that cannot be read are left out until their next event. */
export async function readHealthOf(
  link: OverlayLink,
  actorUuids: readonly string[],
  signal: AbortSignal,
): Promise<[string, Health][]> {
  const read = await Promise.all(actorUuids.map((uuid) => readActor(link, uuid, signal)));
  return read.flat();
}

async function readActor(link: OverlayLink, uuid: string, signal: AbortSignal): Promise<[string, Health][]> {
  const query = { actorUuid: uuid, details: '["stats"]' };
  const answer = await read<{ data?: { stats?: unknown } }>(link, '/sys5e/get-actor-details', query, signal);
  const health = readHealth(answer?.data?.stats);
  return health ? [[uuid, health]] : [];
}

async function read<T>(
  { relay, key, client }: OverlayLink,
  path: string,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const fields = new URLSearchParams({ ...(client && { clientId: client }), ...query });
  try {
    const response = await fetch(`${relay}${path}?${fields.toString()}`, {
      headers: { 'x-api-key': key },
      signal,
    });
    return response.ok ? ((await response.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}
