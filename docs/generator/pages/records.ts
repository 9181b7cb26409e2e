import {
  accountEvents,
  auditActors,
  auditEvents,
  connectionOutcomes,
  dropReasons,
  remoteRequestOutcomes,
} from '../../../packages/contract/src/index.ts';
import type { AuditEvent } from '../../../packages/contract/src/index.ts';
import { code, codes, page, table } from '../markdown.ts';

/** `docs/reference/records.md`. */
export function recordsPage(): string {
  return page(
    'Records and account events',
    '`packages/contract/src/events`',
    'What the logs of an account may say. The dashboard shows them under Activity; programs read `GET /auth/audit-log`, `GET /auth/connection-logs`, `GET /auth/remote-request-logs` and the stream `GET /auth/events` with a dashboard session.',
    '## Audit log',
    'Each entry also has an `outcome` (`ok` or `refused`), the address and browser of the request, the instance and, where a world is concerned, its `clientId`. An event that changes a credential or an account is committed with the change, or neither is.',
    table(
      ['event', 'actor', '`subjectId` names', '`detail`', 'in words', 'told as `security`'],
      Object.entries(auditEvents).map(auditRow),
    ),
    'Actors:',
    table(['actor', 'is'], pairs(auditActors)),
    'Reasons of `records.dropped`:',
    table(['reason', 'means'], pairs(dropReasons)),
    '## Connection log',
    'One entry for each attempt to connect, accepted or not, and one for the end of each connection.',
    table(
      ['outcome', 'the world'],
      Object.entries(connectionOutcomes).map(([name, { sentence }]) => [code(name), sentence]),
    ),
    '## Remote-request log',
    'One entry for each request of a world to another one of the account, granted or not. Those above `LIMIT_REMOTE_REQUEST` share one entry for each token, instance and minute; its `attempts` counts them.',
    table(
      ['outcome', 'a world asked another'],
      Object.entries(remoteRequestOutcomes).map(([name, { sentence }]) => [code(name), sentence]),
    ),
    'Any other outcome is a code of the [errors](errors.md).',
    '## Account events',
    'Server-sent events of `GET /auth/events`.',
    table(
      ['event', 'data', 'meaning'],
      Object.entries(accountEvents).map(([name, { data, meaning }]) => [code(name), fieldsIn(data), meaning]),
    ),
  );
}

function auditRow([name, event]: [string, AuditEvent]): string[] {
  const { actors, outcome, subject = '', detail, sentence, notified } = event;
  return [
    code(name),
    codes(actors),
    subject,
    fieldsIn(detail),
    `${sentence}.${outcome ? ` Outcome: ${code(outcome)}.` : ''}`,
    notified ? 'yes' : '',
  ];
}

function fieldsIn(fields: object): string {
  return Object.entries(fields)
    .map(
      ([name, type]) =>
        `${code(name)} ${String(type).replace('texts', 'list of texts').replace('?', ' or absent')}`,
    )
    .join(', ');
}

const pairs = (catalogue: Record<string, string>) =>
  Object.entries(catalogue).map(([name, words]) => [code(name), words]);
