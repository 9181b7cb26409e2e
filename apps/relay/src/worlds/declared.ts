import { ClusterUnavailable } from '@tabletop-relay/cluster';
import type { Directory } from '@tabletop-relay/cluster';
import { declarations } from '@tabletop-relay/contract';
import type { Declarations } from '@tabletop-relay/contract';
import Value from 'typebox/value';
import { ProblemError } from '../problem.ts';
import type { ClientMeta } from './known-clients.ts';
import type { SocketIdentity } from './socket-identity.ts';

const schemas = Object.entries(declarations);

/** Reads what a module declares in its `auth` frame. A declaration that does not fit its schema is none. */
export function readDeclared(frame: Readonly<Record<string, unknown>>): Declarations {
  const fitting = schemas.filter(
    ([name, schema]) => frame[name] !== undefined && Value.Check(schema, frame[name]),
  );
  return Object.fromEntries(fitting.map(([name]) => [name, frame[name]]));
}

interface FindDeclaredDeps {
  directory: Pick<Directory, 'find'>;
  /** The sockets of this instance. */
  clients: {
    byClient(
      clientId: string,
    ): { isServing: boolean; identity: Pick<SocketIdentity, 'accountId' | 'declared'> } | undefined;
  };
}

/**
 * What the module that serves a world now declared, on whatever instance it is; undefined while the world of this account is
 * offline. Synchronous where its socket is here. Rejects with `unavailable` while nobody can tell. Another module may have the
 * world a moment later: what must hold for the one that gets a command is named in `CallToWorld.needs`.
 */
export type FindDeclared = (
  accountId: string,
  clientId: string,
) => Declarations | undefined | Promise<Declarations | undefined>;

export function createFindDeclared({ directory, clients }: FindDeclaredDeps): FindDeclared {
  async function findElsewhere(accountId: string, clientId: string): Promise<Declarations | undefined> {
    const found = await directory.find([clientId]).catch((cause: unknown) => {
      if (!(cause instanceof ClusterUnavailable)) throw cause;
      throw new ProblemError('unavailable', 'What the world can do cannot be told now.', { cause });
    });
    const presence = found.get(clientId);
    if (presence?.accountId !== accountId) return undefined;
    // An instance of an older version tells none.
    return (JSON.parse(presence.meta) as Partial<ClientMeta>).declared ?? {};
  }

  return (accountId, clientId) => {
    const socket = clients.byClient(clientId);
    const isHere = socket?.isServing && socket.identity.accountId === accountId;
    return isHere ? socket.identity.declared : findElsewhere(accountId, clientId);
  };
}
