import { auditEventOf, auditWords, connectionWords, notifiedOutcomes } from '@tabletop-relay/contract';
import type { LoggedAudit, LoggedConnection, ToldEvent, ToldEventName } from '@tabletop-relay/contract';
import { isUrgent } from '../quiet-hours.ts';

/** A row of the outbox: the record that an account is told of, with the names of its columns. */
export interface Notice {
  accountId: string;
  source: 'connection_logs' | 'audit_log';
  record: Record<string, unknown>;
  /** What the world of the record is known as; null where it is gone, or the record tells of none. */
  pairedName?: string | null;
}

/** One thing that happened. */
export interface Told {
  accountId: string;
  event: ToldEventName;
  /** Who does not want to be told of the event may want to be told of this. */
  otherwise?: ToldEventName;
  sentence: string;
  clientId: string | null;
  keyId?: string;
  at: string;
}

/** So many different events are listed in one notification; the others are counted. */
const mostListed = 50;

/**
 * What is to be told of these notices, in their order. A world that went on to another instance has not connected: its
 * `handed_over` takes back the `connected` of its next socket.
 */
export function readNotices(notices: readonly Notice[]): Told[] {
  const handedOver = new Map<unknown, number>();
  for (const { record } of notices) {
    const { outcome, client_id: clientId } = record;
    if (outcome === 'handed_over') handedOver.set(clientId, (handedOver.get(clientId) ?? 0) + 1);
  }
  const isContinued = ({ outcome, client_id: clientId, metadata_match: match }: Record<string, unknown>) => {
    const left = handedOver.get(clientId) ?? 0;
    if (outcome !== 'connected' || match === false || left === 0) return false;
    handedOver.set(clientId, left - 1);
    return true;
  };
  return notices
    .filter(({ record }) => !isContinued(record))
    .map((notice) => (notice.source === 'audit_log' ? readAudit(notice) : readConnection(notice)))
    .filter((told) => told !== undefined);
}

function readAudit({ accountId, record }: Notice): Told {
  return {
    accountId,
    event: auditEventOf(String(record['event']))?.notified === 'attention' ? 'attention' : 'security',
    sentence: auditWords(record as unknown as LoggedAudit).sentence,
    ...keyOf(record),
    ...placeOf(record),
  };
}

function readConnection({ accountId, record, pairedName }: Notice): Told | undefined {
  const log: LoggedConnection = {
    outcome: String(record['outcome']),
    worldTitle: String(record['world_title']),
    tokenName: String(record['token_name']),
    metadataMatch: record['metadata_match'] as boolean | null,
    mismatch: record['mismatch'] as string[],
    attempts: Number(record['attempts'] ?? 1),
    closeCode: record['close_code'] as number | null,
    pairedName: pairedName ?? '',
  };
  const usual = Object.hasOwn(notifiedOutcomes, log.outcome)
    ? notifiedOutcomes[log.outcome as keyof typeof notifiedOutcomes]
    : undefined;
  const event = log.metadataMatch === false ? 'metadataMismatch' : usual;
  if (!event) return undefined;
  return {
    accountId,
    event,
    ...(usual && usual !== event && { otherwise: usual }),
    sentence: connectionWords(log).sentence,
    ...placeOf(record),
  };
}

/** By it a page leads to the key. */
function keyOf({ event, subject_id: keyId }: Record<string, unknown>): { keyId?: string } {
  const isOfKey = auditEventOf(String(event))?.subject === 'API key';
  return isOfKey && typeof keyId === 'string' ? { keyId } : {};
}

const placeOf = (record: Record<string, unknown>) => ({
  clientId: (record['client_id'] as string | null) ?? null,
  at: new Date(String(record['at'])).toISOString(),
});

/**
 * Adds what happened to the list of a notification. What reads the same stands there once. What concerns security comes first
 * and takes the place of others: it is what a list may not lack, and by it the notification is known to be urgent.
 */
export function addTold(events: readonly ToldEvent[], told: readonly Told[]): ToldEvent[] {
  const listed = events.map((event) => ({ ...event }));
  for (const { event, sentence, clientId, keyId, at } of told) {
    const known = listed.find((one) => one.sentence === sentence && one.clientId === clientId);
    if (known) {
      known.count++;
      // A line about several keys leads to none.
      if (known.keyId !== keyId) delete known.keyId;
      if (at > known.lastAt) known.lastAt = at;
    } else {
      listed.push({
        event,
        sentence,
        clientId,
        ...(keyId !== undefined && { keyId }),
        count: 1,
        firstAt: at,
        lastAt: at,
      });
    }
  }
  const { urgent = [], other = [] } = Object.groupBy(listed, (one) => (isUrgent([one]) ? 'urgent' : 'other'));
  return [...urgent, ...other].slice(0, mostListed);
}
