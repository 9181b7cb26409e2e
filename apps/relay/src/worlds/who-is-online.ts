import type { Directory } from '@tabletop-relay/cluster';
import type { ClientMeta } from './known-clients.ts';

/** Which of these clients are online and with which token; undefined while nobody can tell. */
export function whoIsOnline(directory: Directory) {
  return async (
    clientIds: readonly string[],
  ): Promise<ReadonlyMap<string, { tokenId: string }> | undefined> => {
    const online = await directory.find(clientIds).catch(() => undefined);
    return (
      online &&
      new Map(
        [...online].map(([id, { meta }]) => [id, { tokenId: (JSON.parse(meta) as ClientMeta).tokenId }]),
      )
    );
  };
}
