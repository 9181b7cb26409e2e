import type { ComponentChild } from 'preact';
import {
  auditActors,
  auditEventOf,
  auditWords,
  connectionWords,
  remoteRequestWords,
  textOf,
} from '@tabletop-relay/contract';
import type {
  AuditActor,
  AuditEntry,
  ConnectionLog,
  EventWords,
  RemoteRequestLog,
} from '@tabletop-relay/contract';
import { account } from '../../request.ts';
import { withoutPort } from '../../words/address.ts';
import { findKey, findWorld, worldLabel } from '../../store.ts';

/** One line of the feed, in words. */
export interface Entry extends EventWords {
  id: string;
  at: string;
  clientId: string | null;
  /** The key that it is about, if it is. */
  keyId?: string | null;
  /** Name and value of all else that is known, for a reader who opens the entry. */
  facts: [string, string][];
  /** Figures beside the sentence, and what is known of it only when it is drawn. */
  aside?: () => string;
  /** What it speaks of, with its page; under the row, since nothing in a row can be pressed but the row. */
  about?: () => ComponentChild;
  /** It stands for several calls. */
  isSample?: boolean;
  /** Content of an opened entry, in place of its facts. */
  open?: () => ComponentChild;
}

export function fromConnection(log: ConnectionLog): Entry {
  return {
    ...connectionWords(log),
    id: log.id,
    at: log.at,
    clientId: log.clientId,
    facts: known([
      ['From', withoutPort(log.ipAddress)],
      ['Browser', log.userAgent],
      ['System', `${log.systemId} ${log.systemVersion}`.trim()],
      ['Tabletop', log.tabletopVersion],
      ['Close code', log.closeCode === null ? '' : String(log.closeCode)],
      ...instanceOf(log),
    ]),
  };
}

export function fromRemoteRequest(log: RemoteRequestLog): Entry {
  const worlds = { source: worldName(log.sourceClientId), target: worldName(log.targetClientId) };
  return {
    ...remoteRequestWords(log, worlds),
    id: log.id,
    at: log.at,
    clientId: log.sourceClientId,
    facts: known([
      ['Asked', log.targetClientId],
      ['For', log.action],
      ['Outcome', log.outcome],
      ['In words', log.error],
      ['Took', log.attempts === 1 ? `${log.durationMs} ms` : ''],
      ['From', withoutPort(log.ipAddress)],
      ...instanceOf(log),
    ]),
  };
}

/** A log outlives its worlds, and a module may name any. */
function worldName(clientId: string): string {
  const world = findWorld(clientId);
  return world ? worldLabel(world) : 'a world that is not yours now';
}

export function fromAudit(entry: AuditEntry): Entry {
  return {
    ...auditWords(entry),
    id: entry.id,
    at: entry.at,
    clientId: entry.clientId,
    about: () => subjectOf(entry),
    keyId: auditEventOf(entry.event)?.subject === 'API key' ? entry.subjectId : null,
    facts: known([
      ['From', withoutPort(entry.ipAddress)],
      ['Browser', entry.userAgent],
      ['Done by', auditActors[entry.actor as AuditActor] ?? entry.actor],
      ...Object.entries(entry.detail).map(([name, value]): [string, string] => [name, textOf(value)]),
      ['Id', entry.subjectId ?? ''],
      ...instanceOf(entry),
    ]),
  };
}

/** The world or key that an entry speaks of, with its page. Both may be known only later; a key that is gone has neither. */
function subjectOf({ clientId, subjectId, event }: AuditEntry): ComponentChild {
  if (clientId)
    return findWorld(clientId) ? (
      <a href={`/dashboard/worlds/${clientId}`}>{worldName(clientId)}</a>
    ) : (
      <span class="muted">{worldName(clientId)}</span>
    );
  const key = auditEventOf(event)?.subject === 'API key' && subjectId ? findKey(subjectId) : undefined;
  return key && <a href={`/dashboard/keys/${key.id}`}>{key.name}</a>;
}

/** Operators need to know which process of the relay it was. */
const instanceOf = ({ instanceId }: { instanceId: string }): [string, string][] =>
  account.value?.isAdministrator ? [['Instance', instanceId]] : [];

const known = (facts: [string, string][]): [string, string][] => facts.filter(([, value]) => value !== '');
