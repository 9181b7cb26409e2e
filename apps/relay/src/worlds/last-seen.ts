import { toColumns } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { SocketIdentity } from './socket-identity.ts';
import { columnsOf } from './world-columns.ts';

/**
 * Keeps what `GET /clients` tells of offline worlds. Written in batches and off the call's path: ten thousand
 * worlds that come back at once cost a handful of statements.
 */
export interface LastSeen {
  /** Resolves once the sighting is written, or could not be, so that a listener who then reads finds it. */
  connected(identity: SocketIdentity): Promise<void>;
  disconnected(identity: SocketIdentity): Promise<void>;
  /** Writes what waits; used at drain. */
  flush(): Promise<void>;
}

type Sighting = ReturnType<typeof toSighting>;

const everyMs = 250;

export function createLastSeen(db: Kysely<Tables>, instanceId: string, log: Logger): LastSeen {
  let waiting = new Map<string, Sighting>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let attempt = Promise.withResolvers<void>();

  function note(identity: SocketIdentity): Promise<void> {
    const { clientId } = identity;
    waiting.set(clientId, { ...waiting.get(clientId), ...toSighting(identity, instanceId) });
    timer ??= setTimeout(() => void flush(), everyMs).unref();
    return attempt.promise;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const { resolve } = attempt;
    attempt = Promise.withResolvers();
    writing = writing.then(writeAll).then(resolve);
    return writing;
  }

  async function writeAll(): Promise<void> {
    const batch = waiting;
    waiting = new Map();
    if (batch.size === 0) return;
    try {
      await write(db, [...batch.values()]);
    } catch (error) {
      log.warn({ err: error, clients: batch.size }, 'last-seen times could not be written; they wait');
      waiting = new Map([...batch, ...waiting]);
      timer ??= setTimeout(() => void flush(), 20 * everyMs).unref();
    }
  }

  return { connected: note, disconnected: note, flush };
}

/** Notes when worlds were heard of last whose instance could not, because it was killed: perhaps before it had noted anything. */
export async function noteLost(
  db: Kysely<Tables>,
  lost: readonly { clientId: string; accountId: string; heardAt: Date }[],
): Promise<void> {
  const rows = JSON.stringify(lost.map(toColumns));
  await sql`
    update known_clients k set last_seen_at = l.heard_at
    from jsonb_to_recordset(${rows}::jsonb) as l(client_id text, account_id text, heard_at timestamptz)
    where k.client_id = l.client_id and k.account_id = l.account_id
      and (k.last_seen_at is null or k.last_seen_at < l.heard_at)`.execute(db);
}

function toSighting(identity: SocketIdentity, instanceId: string) {
  return {
    clientId: identity.clientId,
    accountId: identity.accountId,
    lastSeenAt: new Date().toISOString(),
    connectedSince: new Date(identity.connectedSince).toISOString(),
    lastInstanceId: instanceId,
    // A description of another browser may come from a copied token. The world keeps the one of its paired browser.
    ...(identity.isAsPaired && columnsOf(identity.world)),
    ipAddress: identity.ipAddress,
    tokenName: identity.principal.name,
    tokenId: identity.principal.tokenId,
  };
}

/**
 * A sighting older than what is there changes nothing: two instances may write of one client. The name is read from the
 * token: a world may go offline before its instance hears that the token was renamed.
 */
async function write(db: Kysely<Tables>, batch: readonly Sighting[]): Promise<void> {
  const rows = JSON.stringify(batch.map(toColumns));
  await sql`
    with sighting as (
      select * from jsonb_to_recordset(${rows}::jsonb) as s(
        client_id text, account_id text, last_seen_at timestamptz, connected_since timestamptz,
        last_instance_id text, world_id text, world_title text, tabletop_version text, system_id text,
        system_title text, system_version text, module_custom_name text, ip_address text, token_name text,
        token_id text)
    ), token as (
      update connection_tokens t set last_used_at = s.last_seen_at, last_ip_address = s.ip_address
      from sighting s where t.id = s.token_id
    )
    update known_clients k set
      last_seen_at = s.last_seen_at, connected_since = s.connected_since, last_instance_id = s.last_instance_id,
      world_id = coalesce(s.world_id, k.world_id), world_title = coalesce(s.world_title, k.world_title),
      tabletop_version = coalesce(s.tabletop_version, k.tabletop_version),
      system_id = coalesce(s.system_id, k.system_id), system_title = coalesce(s.system_title, k.system_title),
      system_version = coalesce(s.system_version, k.system_version),
      module_custom_name = coalesce(s.module_custom_name, k.module_custom_name), ip_address = s.ip_address, token_name = coalesce(t.name, s.token_name)
    from sighting s left join connection_tokens t on t.id = s.token_id
    where k.client_id = s.client_id and k.account_id = s.account_id
      and (k.last_seen_at is null or k.last_seen_at <= s.last_seen_at)`.execute(db);
}
