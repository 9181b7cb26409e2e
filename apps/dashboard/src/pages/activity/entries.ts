import type { AuditEntry, ConnectionLog } from '@tabletop-relay/contract';

/** One line of the feed, in words. */
export interface Entry {
  id: string;
  at: string;
  tone: 'good' | 'warn' | 'bad' | 'off';
  /** One word for the tone. */
  word: string;
  sentence: string;
  clientId: string | null;
  /** Name and value of all else that is known, for who wants to look closer. */
  facts: [string, string][];
}

type Tone = Pick<Entry, 'tone' | 'word'>;

/** What became of an attempt to connect; the address bar's filter knows them by these names. */
export const connectionOutcomes: Record<string, Tone & { said: string }> = {
  connected: { tone: 'good', word: 'Connected', said: 'connected' },
  rate_limited: {
    tone: 'bad',
    word: 'Refused',
    said: 'was refused: too many attempts from its address',
  },
  auth_timeout: { tone: 'bad', word: 'Refused', said: 'opened a connection and sent no token in time' },
  auth_missing: {
    tone: 'bad',
    word: 'Refused',
    said: 'opened a connection and sent something else than a token',
  },
  token_invalid: { tone: 'bad', word: 'Refused', said: 'was refused: its token is unknown or revoked' },
  address_not_allowed: { tone: 'bad', word: 'Refused', said: 'was refused: its address is not on the list' },
  duplicate: {
    tone: 'warn',
    word: 'Refused',
    said: 'was refused: another browser is connected as this world',
  },
  unavailable: { tone: 'warn', word: 'Not now', said: 'could not be let in for trouble of the relay' },
  gone: { tone: 'off', word: 'Gone', said: 'went away before it was let in' },
};

export function fromConnection(log: ConnectionLog): Entry {
  const { tone, word, said } = connectionOutcomes[log.outcome] ?? {
    tone: 'warn' as const,
    word: log.outcome,
    said: `: ${log.outcome}`,
  };
  const mismatch =
    log.metadataMatch === false ? `, but its ${log.mismatch.join(' and ')} changed since it paired` : '';
  const times = log.attempts > 1 ? `, ${log.attempts.toLocaleString('en')} times within a minute` : '';
  return {
    id: log.id,
    at: log.at,
    tone: mismatch && tone === 'good' ? 'warn' : tone,
    word: mismatch && tone === 'good' ? 'Look' : word,
    sentence: `${log.worldTitle || 'A world'}${log.tokenName ? ` in ${log.tokenName}` : ''} ${said}${mismatch}${times}.`,
    clientId: log.clientId,
    facts: known([
      ['From', log.ipAddress],
      ['Browser', log.userAgent],
      ['System', `${log.systemId} ${log.systemVersion}`.trim()],
      ['Tabletop', log.tabletopVersion],
      ['Close code', log.closeCode === null ? '' : String(log.closeCode)],
      ['Instance', log.instanceId],
    ]),
  };
}

const events: Record<string, [sentence: string, tone?: Entry['tone'], word?: string]> = {
  'account.registered': ['The account was opened'],
  'account.rotation_forced': [
    'An administrator asks for a new master key: API access is blocked',
    'bad',
    'Blocked',
  ],
  'account.disabled': ['An administrator disabled the account', 'bad', 'Blocked'],
  'account.enabled': ['An administrator enabled the account again', 'good', 'Enabled'],
  'session.started': ['You signed in'],
  'session.ended': ['You signed out'],
  'session.revoked': ['A session was ended'],
  'login.failed': ['Somebody tried to sign in with a wrong password', 'warn', 'Refused'],
  'password.changed': ['The password was changed', 'warn', 'Look'],
  'password.reset_requested': ['A link to set a new password was asked for', 'warn', 'Look'],
  'password.reset': ['The password was set by a mailed link', 'warn', 'Look'],
  'master_key.rotated': [
    'The master key was regenerated; all keys, browsers and sessions ended',
    'warn',
    'Look',
  ],
  'api_key.created': ['The key “{name}” was created', 'good', 'Created'],
  'api_key.changed': ['A key was changed', 'off', 'Changed'],
  'api_key.revoked': ['A key was revoked', 'off', 'Revoked'],
  'key_request.approved': ['You let “{appName}” have a key', 'good', 'Approved'],
  'key_request.denied': ['You denied “{appName}” a key', 'off', 'Denied'],
  'key_request.collected': ['A program collected the key that you approved', 'good', 'Collected'],
  'pairing_code.created': ['A pairing code was made'],
  'client.paired': ['{tokenName} was paired', 'good', 'Paired'],
  'client.paired_again': ['A known world was paired again in {tokenName}', 'warn', 'Look'],
  'client.deleted': ['A world was forgotten', 'off', 'Forgotten'],
  'client.named': ['The name of a world was changed'],
  'connection_token.changed': ['A paired browser was changed', 'off', 'Changed'],
  'connection_token.revoked': ['A browser was unpaired', 'off', 'Unpaired'],
  'records.dropped': ['{count} entries of this log were not written', 'warn', 'Look'],
  'connection_token.given_back': ['A browser unpaired itself', 'off', 'Unpaired'],
};

export function fromAudit(entry: AuditEntry): Entry {
  const detail = entry.detail as Record<string, unknown>;
  const [template, tone = 'off', word = 'Done'] = events[entry.event] ?? [eventAsWords(entry.event)];
  const sentence = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => asText(detail, name) || '?');
  const isRefused = entry.outcome !== 'ok';
  return {
    id: entry.id,
    at: entry.at,
    tone: isRefused && tone === 'off' ? 'bad' : tone,
    word: isRefused && tone === 'off' ? 'Refused' : word,
    sentence: `${sentence}.`,
    clientId: entry.clientId,
    facts: known([
      ['From', entry.ipAddress],
      ['Browser', entry.userAgent],
      ['Done by', actors[entry.actor] ?? entry.actor],
      ...Object.keys(detail).map((name): [string, string] => [name, asText(detail, name)]),
      ['Id', entry.subjectId ?? ''],
      ['Instance', entry.instanceId],
    ]),
  };
}

const actors: Record<string, string> = {
  session: 'you, signed in',
  token: 'a paired browser',
  relay: 'the relay',
  anyone: 'somebody who was not signed in',
};

const known = (facts: [string, string][]): [string, string][] => facts.filter(([, value]) => value !== '');

function asText(detail: Record<string, unknown>, name: string): string {
  const value = detail[name];
  if (Array.isArray(value)) return value.join(', ');
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** For events that this page is too old to know: `module.scene_changed` reads "Module: scene changed". */
function eventAsWords(event: string): string {
  const text = event.replace('.', ': ').replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
