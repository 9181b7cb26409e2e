import type { RemoteRequestRecord, Records } from '../../records/records.ts';
import type { SocketIdentity } from '../../worlds/socket-identity.ts';
import type { RemoteRequest } from './read-request.ts';

export interface RemoteRequestEnd extends Pick<RemoteRequestRecord, 'outcome' | 'error'> {
  /** From `performance.now()`. */
  startedAt: number;
}

/** Records every request of a module to another world. */
export interface RemoteRequestLog {
  record(
    source: SocketIdentity,
    request: Pick<RemoteRequest, 'targetClientId' | 'action'>,
    end: RemoteRequestEnd,
  ): void;
  /** Writes the counts at once. Used at drain. */
  flush(): void;
}

/**
 * Each request gets a row, but those that are refused because there are too many: these are counted, one row for each
 * token and minute, so that a flood costs a row a minute. Only connected tokens are counted, so the counts are bounded too.
 */
export function createRemoteRequestLog(
  records: Pick<Records, 'remoteRequest'>,
  everyMs = 60_000,
): RemoteRequestLog {
  const counts = new Map<string, RemoteRequestRecord & { attempts: number }>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const counted of counts.values()) records.remoteRequest(counted);
    counts.clear();
  }

  return {
    record({ accountId, clientId, ipAddress, principal }, { targetClientId, action }, end) {
      const { outcome, error, startedAt } = end;
      const counted = outcome === 'rate_limited' ? counts.get(principal.tokenId) : undefined;
      if (counted) {
        counted.attempts++;
        return;
      }
      const row = {
        accountId,
        sourceClientId: clientId,
        sourceTokenId: principal.tokenId,
        sourceTokenName: principal.name,
        targetClientId,
        action,
        outcome,
        error,
        ipAddress,
        durationMs: Math.round(performance.now() - startedAt),
        attempts: 1,
      };
      if (outcome !== 'rate_limited') return records.remoteRequest(row);
      counts.set(principal.tokenId, row);
      timer ??= setTimeout(flush, everyMs).unref();
    },
    flush,
  };
}
