import path from 'node:path';
import type { FaultProxy } from './fault-proxy.ts';
import { startFaultProxy } from './fault-proxy.ts';

/** A network of its own to a database, at `url`. The server itself listens on a Unix socket only. */
export async function startPostgresProxy(databaseUrl: string): Promise<{ url: string; network: FaultProxy }> {
  const [, role, name, query] = /^postgres(?:ql)?:\/\/(.+)@\/(.+)\?(.+)$/.exec(databaseUrl) ?? [];
  const folder = new URLSearchParams(query).get('host');
  if (!folder) throw new Error(`${databaseUrl} names no Unix socket`);
  const network = await startFaultProxy(path.join(folder, '.s.PGSQL.5432'));
  return { url: `postgres://${role}@127.0.0.1:${network.port}/${name}`, network };
}
