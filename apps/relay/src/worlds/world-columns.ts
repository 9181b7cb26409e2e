import { WorldMetadata } from '@tabletop-relay/contract';

/** The part of a world's metadata that has columns of the same names. */
export type WorldColumns = Omit<WorldMetadata, 'customName'>;

const names = Object.keys(WorldMetadata.properties).filter((name) => name !== 'customName');

/** The metadata alone, out of a row or of a module's description that has more fields. */
export function worldOf(source: WorldColumns): WorldColumns {
  const all: Record<string, unknown> = { ...source };
  return Object.fromEntries(names.map((name) => [name, all[name]])) as unknown as WorldColumns;
}

/** A module's description as columns of `known_clients`, where the dashboard's name has a column of its own. */
export function columnsOf(world: WorldMetadata): WorldColumns & { moduleCustomName: string } {
  return { ...worldOf(world), moduleCustomName: world.customName };
}
