import { ClusterUnavailable } from '@tabletop-relay/cluster';
import type { Broadcast, Directory, Standbys } from '@tabletop-relay/cluster';
import { ProblemError } from '../problem.ts';
import type { ClientMeta } from './known-clients.ts';

const topic = 'standby-call-up';
const pollMs = 50;
/** A ping of 2 s, and as much for the claim. */
const patienceMs = 5_000;

/** Hears which standby a person chose, on any instance. Returns a function that ends it. */
export function subscribeCallUps(
  broadcast: Pick<Broadcast, 'subscribe'>,
  onCallUp: (conn: string) => void,
): () => void {
  return broadcast.subscribe(topic, onCallUp);
}

/**
 * How long the browser has served that serves a world now, in ms; undefined while there is none, and where the clock of its instance
 * is ahead of this one. Rejects with `ClusterUnavailable`.
 */
export async function servedSince(
  directory: Pick<Directory, 'find'>,
  clientId: string,
): Promise<number | undefined> {
  const presence = (await directory.find([clientId])).get(clientId);
  if (!presence || presence.moving) return undefined;
  const servedMs = Date.now() - (JSON.parse(presence.meta) as ClientMeta).connectedSince;
  return servedMs < 0 ? undefined : servedMs;
}

/** A browser that waits, as it described itself. */
export type StandbyMeta = ClientMeta & { standbyId: string };

/** The browsers that wait for each of these worlds, the longest waiting first. Rejects with `ClusterUnavailable`. */
export type FindStandbys = (
  accountId: string,
  clientIds: readonly string[],
) => Promise<ReadonlyMap<string, StandbyMeta[]>>;

export function createFindStandbys(standbys: Pick<Standbys, 'find'>): FindStandbys {
  return async (accountId, clientIds) => {
    const found = await standbys.find(clientIds);
    return new Map(
      [...found].map(([clientId, list]) => [
        clientId,
        list
          .filter((one) => one.accountId === accountId)
          .map(({ conn, meta }) => ({ ...(JSON.parse(meta) as ClientMeta), standbyId: conn })),
      ]),
    );
  };
}

export interface CallUpDeps {
  findStandbys: FindStandbys;
  broadcast: Pick<Broadcast, 'publish'>;
  directory: Pick<Directory, 'find'>;
}

/** Lets a standby serve its world in the place of the browser that does. Resolves when it does. */
export type CallUp = (input: { accountId: string; clientId: string; standbyId: string }) => Promise<void>;

export function createCallUp({ findStandbys, broadcast, directory }: CallUpDeps): CallUp {
  return async ({ accountId, clientId, standbyId }) => {
    const waits = async (): Promise<boolean> => {
      const found = await findStandbys(accountId, [clientId]).catch(unavailable);
      return found.get(clientId)?.some((one) => one.standbyId === standbyId) ?? false;
    };
    if (!(await waits())) {
      throw new ProblemError(
        'not_found',
        'That browser does not wait for the world any more. Read the list again.',
      );
    }
    await broadcast.publish(topic, standbyId).catch(unavailable);
    const until = performance.now() + patienceMs;
    while (await waits()) {
      if (performance.now() > until) throw notTaken();
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    const presence = (await directory.find([clientId]).catch(unavailable)).get(clientId);
    if (!presence) throw notTaken();
  };
}

const notTaken = (): ProblemError =>
  new ProblemError(
    'unavailable',
    'That browser did not take the world over: it does not answer, or another has only just begun to serve. Try again in a few seconds.',
    { retryAfterS: 5 },
  );

function unavailable(cause: unknown): never {
  if (!(cause instanceof ClusterUnavailable)) throw cause;
  throw new ProblemError('unavailable', 'The relay cannot tell at the moment which browsers wait.', {
    cause,
  });
}
