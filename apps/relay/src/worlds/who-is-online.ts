import type { Directory } from '@tabletop-relay/cluster';
import type { ClientMeta } from './known-clients.ts';

/** Tells which of these clients are online, with the token that holds the connection; undefined while nobody can tell. */
export type WhoIsOnline = (
  clientIds: readonly string[],
) => Promise<ReadonlyMap<string, { tokenId: string }> | undefined>;

export function whoIsOnline(directory: Directory): WhoIsOnline {
  return async (clientIds) => {
    const online = await directory.find(clientIds).catch(() => undefined);
    return (
      online &&
      new Map(
        [...online].map(([id, { meta }]) => [id, { tokenId: (JSON.parse(meta) as ClientMeta).tokenId }]),
      )
    );
  };
}
