import { auditEvents } from './audit-events.ts';
import type { AuditEvent } from './audit-events.ts';
import type { EventWords } from './words.ts';

/** The parts of an entry of the audit log that its sentence is made of. */
export interface LoggedAudit {
  event: string;
  outcome: string;
  detail: object;
}

/** The declaration of an event in the log; undefined where this program is older than the event. */
export function auditEventOf(name: string): AuditEvent | undefined {
  const declared = Object.hasOwn(auditEvents, name) ? name : name.replace(/\..*$/s, '.*');
  return Object.hasOwn(auditEvents, declared) ? auditEvents[declared as keyof typeof auditEvents] : undefined;
}

/** An entry of the audit log in words. An event that this program does not know is shown by its name. */
export function auditWords({ event, outcome, detail }: LoggedAudit): EventWords {
  const {
    sentence,
    tone = 'off',
    subject,
    word = subjectWord(subject),
  }: Partial<AuditEvent> & Pick<AuditEvent, 'sentence'> = auditEventOf(event) ?? {
    sentence: nameInWords(event),
  };
  const fields: Record<string, unknown> = { ...detail, event: spaced(event.replace(/^[^.]*\./s, '')) };
  const isRefused = outcome !== 'ok' && tone === 'off';
  return {
    tone: isRefused ? 'bad' : tone,
    word: isRefused ? 'Refused' : word,
    sentence: `${sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => textOf(fields[name]) || '?')}.`,
  };
}

/** What an entry is about that asks for no attention. */
const subjectWord = (subject: AuditEvent['subject']): string => (subject ? subjectWords[subject] : 'Noted');

const subjectWords = {
  account: 'Account',
  session: 'Sign-in',
  'API key': 'Key',
  'key request': 'Key',
  'sign-in request': 'Assistant',
  'pair request': 'Pairing',
  'connection token': 'Browser',
  'pairing code': 'Pairing',
  'second factor': 'Sign-in',
  'headless session': 'Hosted world',
  webhook: 'Webhook',
} as const satisfies Record<NonNullable<AuditEvent['subject']>, string>;

/** A field of an entry’s detail as text; empty where it is absent. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `key_request.lost` reads "Key request: lost". */
function nameInWords(event: string): string {
  const text = spaced(event.replace('.', ': '));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const spaced = (name: string) => name.replaceAll('_', ' ');
