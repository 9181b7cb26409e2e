// oxlint-disable max-lines -- It is one list, the catalogue of audit events.
import type { Fields } from './fields.ts';
import type { Tone } from './words.ts';

/** The actors of audited events, in words that complete “Done by”. */
export const auditActors = {
  session: 'you, signed in',
  administrator: 'an administrator of this relay',
  operator: 'the operator of this relay, from the command line',
  token: 'a paired browser',
  key: 'a program, with an API key',
  relay: 'the relay',
  anyone: 'somebody who was not signed in',
} as const;

export type AuditActor = keyof typeof auditActors;

/** Why records were not written. */
export const dropReasons = {
  database_away: 'Postgres took no records at the time',
  backlog_full: 'too many records of the account were waiting',
  rate_limited: 'a module sent more notices than it may',
} as const;

export type DropReason = keyof typeof dropReasons;

/** One kind of entry of the audit log. */
export interface AuditEvent {
  /** The actors that may cause it. A writer names one only where there are several. */
  actors: readonly [AuditActor, ...AuditActor[]];
  /** `ok` where it is not given. */
  outcome?: 'refused';
  /** The kind of thing that the entry’s `subjectId` names. */
  subject?:
    | 'account'
    | 'session'
    | 'API key'
    | 'key request'
    | 'sign-in request'
    | 'pair request'
    | 'connection token'
    | 'pairing code'
    | 'second factor'
    | 'headless session'
    | 'webhook';
  /** The fields of the entry’s `detail`. */
  detail: Fields;
  /** The event in words, without a full stop. `{name}` stands for a field of the detail. */
  sentence: string;
  /** `off`, and a word for the subject, where they are not given. */
  tone?: Tone;
  word?: string;
  /**
   * The account's owner is told of it: `true` as one of the `security` events, `attention` as of something that goes on until somebody
   * mends it. The same choice holds for both, but the second waits for the end of quiet hours.
   */
  notified?: true | 'attention';
}

const suspicious = { tone: 'warn', word: 'Look' } as const;

/**
 * Every event of the audit log. `module.*` stands for what modules send: its `{event}` is the part of the name after
 * the dot.
 */
export const auditEvents = {
  'account.registered': {
    actors: ['anyone'],
    subject: 'account',
    detail: {},
    sentence: 'The account was opened',
  },
  'account.deleted': { actors: ['session'], detail: {}, sentence: 'An account was deleted' },
  'account.rotation_forced': {
    actors: ['administrator', 'operator'],
    subject: 'account',
    detail: { by: 'text?' },
    sentence: 'An administrator asks for a new master key: API access is blocked',
    tone: 'bad',
    word: 'Blocked',
    notified: true,
  },
  'account.disabled': {
    actors: ['administrator', 'operator'],
    subject: 'account',
    detail: { by: 'text?' },
    sentence: 'An administrator disabled the account',
    tone: 'bad',
    word: 'Blocked',
    notified: true,
  },
  'account.enabled': {
    actors: ['administrator', 'operator'],
    subject: 'account',
    detail: { by: 'text?' },
    sentence: 'An administrator enabled the account again',
    tone: 'good',
    word: 'Enabled',
    notified: true,
  },
  'account.sessions_ended': {
    actors: ['administrator', 'operator'],
    subject: 'account',
    detail: { count: 'number', by: 'text?' },
    sentence: 'An administrator ended {count} sessions of the account',
    ...suspicious,
    notified: true,
  },
  'account.made_administrator': {
    actors: ['operator'],
    subject: 'account',
    detail: {},
    sentence: 'The account was made an administrator of this relay',
    ...suspicious,
    notified: true,
  },
  'account.removed_administrator': {
    actors: ['operator'],
    subject: 'account',
    detail: {},
    sentence: 'The account is no administrator of this relay any more',
    ...suspicious,
    notified: true,
  },
  'session.started': { actors: ['anyone'], subject: 'session', detail: {}, sentence: 'You signed in' },
  'session.ended': { actors: ['session'], subject: 'session', detail: {}, sentence: 'You signed out' },
  'session.replaced': {
    actors: ['anyone'],
    subject: 'session',
    detail: {},
    sentence: 'A session ended, because its browser signed in anew',
  },
  'session.revoked': {
    actors: ['session', 'administrator', 'operator'],
    subject: 'session',
    detail: { by: 'text?' },
    sentence: 'A session was ended',
  },
  'login.failed': {
    actors: ['anyone', 'session'],
    outcome: 'refused',
    detail: {},
    sentence: 'Somebody tried to sign in with a wrong password',
    tone: 'warn',
    word: 'Refused',
  },
  'password.changed': {
    actors: ['session'],
    detail: {},
    sentence: 'The password was changed',
    ...suspicious,
    notified: true,
  },
  'password.reset_requested': {
    actors: ['anyone'],
    detail: {},
    sentence: 'A link to set a new password was asked for',
    ...suspicious,
    notified: true,
  },
  'password.reset': {
    actors: ['anyone'],
    detail: {},
    sentence: 'The password was set with a mailed link',
    ...suspicious,
    notified: true,
  },
  'second_factor.added': {
    actors: ['session'],
    subject: 'second factor',
    detail: { kind: 'text', name: 'text' },
    sentence: 'The second factor “{name}” was set up',
    ...suspicious,
    notified: true,
  },
  'second_factor.renamed': {
    actors: ['session'],
    subject: 'second factor',
    detail: { name: 'text' },
    sentence: 'A second factor is called “{name}” now',
  },
  'second_factor.removed': {
    actors: ['session'],
    subject: 'second factor',
    detail: { kind: 'text', name: 'text' },
    sentence: 'The second factor “{name}” was removed',
    ...suspicious,
    notified: true,
  },
  'second_factor.failed': {
    actors: ['anyone'],
    outcome: 'refused',
    detail: { method: 'text' },
    sentence: 'Somebody gave the right password and a wrong second factor',
    tone: 'bad',
    word: 'Refused',
    notified: true,
  },
  'second_factor.reset': {
    actors: ['operator'],
    subject: 'account',
    detail: {},
    sentence: 'The operator of this relay removed the second factors; all sessions ended',
    ...suspicious,
    notified: true,
  },
  'recovery_codes.made': {
    actors: ['session'],
    detail: {},
    sentence: 'New recovery codes were made',
    ...suspicious,
    notified: true,
  },
  'recovery_code.used': {
    actors: ['anyone'],
    detail: { left: 'number' },
    sentence: 'A recovery code was used; {left} are left',
    ...suspicious,
    notified: true,
  },
  'master_key.rotated': {
    actors: ['anyone'],
    subject: 'account',
    detail: {},
    sentence: 'The master key was regenerated; all keys, browsers and sessions ended',
    ...suspicious,
    notified: true,
  },
  'api_key.created': {
    actors: ['session'],
    subject: 'API key',
    detail: { name: 'text', scopes: 'texts', actingUserIds: 'object?' },
    sentence: 'The key “{name}” was created',
    tone: 'good',
    word: 'Created',
    notified: true,
  },
  // A page of the dashboard makes such a key for itself at each visit: told of each, nobody would see the one that matters.
  'api_key.short_made': {
    actors: ['session'],
    subject: 'API key',
    detail: { name: 'text', scopes: 'texts', actingUserIds: 'object?' },
    sentence: 'The key “{name}” was created, for one world and an hour at most',
    tone: 'good',
    word: 'Created',
  },
  'api_key.changed': {
    actors: ['session'],
    subject: 'API key',
    detail: {
      name: 'text?',
      scopes: 'texts?',
      clientIds: 'texts?',
      actingUserIds: 'object?',
      actingUserId: 'text?',
      monthlyLimit: 'number?',
      expiresAt: 'text?',
    },
    sentence: 'A key was changed',
    word: 'Changed',
  },
  'api_key.rolled': {
    actors: ['session'],
    subject: 'API key',
    detail: { name: 'text', oldValueEndsAt: 'text?' },
    sentence: 'The key “{name}” got a new value',
    word: 'Rolled',
    notified: true,
  },
  'api_key.old_value_ended': {
    actors: ['session'],
    subject: 'API key',
    detail: {},
    sentence: 'The old value of a rolled key was ended',
    word: 'Ended',
  },
  'api_key.limit_reached': {
    actors: ['relay'],
    subject: 'API key',
    detail: { name: 'text', limit: 'number' },
    sentence: 'The key “{name}” has reached its limit of {limit} a month',
    tone: 'bad',
    word: 'Limit',
    notified: 'attention',
  },
  'api_key.expired_used': {
    actors: ['relay'],
    subject: 'API key',
    detail: { name: 'text' },
    sentence: 'The key “{name}” has expired, and a program still calls with it',
    ...suspicious,
    notified: 'attention',
  },
  'api_key.revoked': {
    actors: ['session', 'relay'],
    subject: 'API key',
    detail: { why: 'text?' },
    sentence: 'A key was revoked',
    word: 'Revoked',
  },
  'api_key.paused': {
    actors: ['session', 'administrator', 'operator'],
    subject: 'API key',
    detail: { by: 'text?' },
    sentence: 'A key was paused: calls with it are refused',
    tone: 'warn',
    word: 'Paused',
  },
  'api_key.resumed': {
    actors: ['session', 'administrator', 'operator'],
    subject: 'API key',
    detail: { by: 'text?' },
    sentence: 'The pause of a key was lifted',
    tone: 'good',
    word: 'Resumed',
  },
  'client.paused': {
    actors: ['session', 'administrator', 'operator', 'token'],
    subject: 'connection token',
    detail: { by: 'text?', userName: 'text?' },
    sentence: 'A world was paused: calls to it are refused',
    tone: 'warn',
    word: 'Paused',
  },
  'client.resumed': {
    actors: ['session', 'administrator', 'operator', 'token'],
    subject: 'connection token',
    detail: { by: 'text?', userName: 'text?' },
    sentence: 'The pause of a world was lifted',
    tone: 'good',
    word: 'Resumed',
  },
  'key_request.approved': {
    actors: ['session'],
    subject: 'key request',
    detail: { appName: 'text', scopes: 'texts', actingUserIds: 'object?' },
    sentence: 'You let “{appName}” have a key',
    tone: 'good',
    word: 'Approved',
  },
  'key_request.denied': {
    actors: ['session'],
    subject: 'key request',
    detail: { appName: 'text', scopes: 'texts' },
    sentence: 'You denied “{appName}” a key',
    word: 'Denied',
  },
  'key_request.collected': {
    actors: ['anyone'],
    subject: 'API key',
    detail: {},
    sentence: 'A program collected the key that you approved',
    tone: 'good',
    word: 'Collected',
    notified: true,
  },
  'assistant.approved': {
    actors: ['session'],
    subject: 'sign-in request',
    detail: { name: 'text', scopes: 'texts', actingUserIds: 'object?' },
    sentence: 'You let “{name}” sign in',
    tone: 'good',
    word: 'Approved',
  },
  'assistant.denied': {
    actors: ['session'],
    subject: 'sign-in request',
    detail: { name: 'text', scopes: 'texts' },
    sentence: 'You did not let “{name}” sign in',
    word: 'Denied',
  },
  'assistant.signed_in': {
    actors: ['anyone'],
    subject: 'API key',
    detail: { name: 'text' },
    sentence: '“{name}” was signed in, as you approved',
    tone: 'good',
    word: 'Signed in',
    notified: true,
  },
  'pairing_code.created': {
    actors: ['session'],
    subject: 'pairing code',
    detail: {},
    sentence: 'A pairing code was made',
  },
  'pair_request.approved': {
    actors: ['session'],
    subject: 'pair request',
    detail: {
      worldTitle: 'text',
      tokenId: 'text?',
      joinsClientId: 'text?',
      allowedTargetClients: 'texts?',
      remoteScopes: 'texts?',
      ipAllowlist: 'text?',
    },
    sentence: 'You granted what the world “{worldTitle}” asked for',
    tone: 'good',
    word: 'Approved',
  },
  'pair_request.denied': {
    actors: ['session'],
    subject: 'pair request',
    detail: { worldTitle: 'text' },
    sentence: 'You denied what the world “{worldTitle}” asked for',
    word: 'Denied',
  },
  'client.paired': {
    actors: ['anyone'],
    subject: 'connection token',
    detail: { tokenName: 'text' },
    sentence: '{tokenName} was paired',
    tone: 'good',
    word: 'Paired',
    notified: true,
  },
  'client.paired_again': {
    actors: ['anyone'],
    subject: 'connection token',
    detail: { tokenName: 'text', by: 'text' },
    sentence: 'A known world was paired again in {tokenName}',
    ...suspicious,
    notified: true,
  },
  'client.named': {
    actors: ['session'],
    detail: { customName: 'text' },
    sentence: 'The name of a world was changed',
  },
  'client.served_from': {
    actors: ['session'],
    detail: { tokenName: 'text' },
    sentence: 'A world was given to the browser {tokenName}, which waited',
  },
  'client.deleted': { actors: ['session'], detail: {}, sentence: 'A world was deleted', word: 'Deleted' },
  'connection_token.changed': {
    actors: ['session'],
    subject: 'connection token',
    detail: {
      name: 'text?',
      ipAllowlist: 'text?',
      allowedTargetClients: 'texts?',
      remoteScopes: 'texts?',
      actingUserIds: 'object?',
      actingUserId: 'text?',
    },
    sentence: 'A paired browser was changed',
    word: 'Changed',
  },
  'connection_token.revoked': {
    actors: ['session'],
    subject: 'connection token',
    detail: {},
    sentence: 'A browser was unpaired',
    word: 'Unpaired',
  },
  'connection_token.given_back': {
    actors: ['token'],
    subject: 'connection token',
    detail: {},
    sentence: 'A browser unpaired itself',
    word: 'Unpaired',
  },
  'headless_session.started': {
    actors: ['key', 'session'],
    subject: 'headless session',
    detail: { tabletopUrl: 'text', username: 'text' },
    sentence: 'A browser of the relay was sent to {tabletopUrl} as {username}',
    tone: 'good',
    word: 'Started',
  },
  'headless_session.ended': {
    actors: ['key', 'session'],
    subject: 'headless session',
    detail: {},
    sentence: 'The hosting of a world was ended',
    word: 'Ended',
  },
  'operation.used': {
    actors: ['key'],
    subject: 'API key',
    detail: { operation: 'text', scopes: 'texts' },
    sentence: 'A program called {operation}, which reaches beyond the tabletop’s own rules',
    ...suspicious,
  },
  'operation.used_by_world': {
    actors: ['token'],
    subject: 'connection token',
    detail: { operation: 'text', scopes: 'texts', sourceClientId: 'text' },
    sentence:
      'Another world, {sourceClientId}, called {operation}, which reaches beyond the tabletop’s own rules',
    ...suspicious,
  },
  'email.confirmed': {
    actors: ['anyone'],
    detail: {},
    sentence: 'The e-mail address was confirmed',
    tone: 'good',
    word: 'Confirmed',
  },
  'notification_settings.changed': {
    actors: ['session'],
    detail: { webhooks: 'number' },
    sentence: 'The notifications were set anew; webhooks in use: {webhooks}',
    word: 'Changed',
    notified: true,
  },
  'call_log.changed': {
    actors: ['session'],
    detail: { keepsBodies: 'text' },
    sentence: 'What the call log keeps was changed; requests and answers are kept: {keepsBodies}',
    ...suspicious,
    notified: true,
  },
  'webhook.failing': {
    actors: ['relay'],
    subject: 'webhook',
    detail: { label: 'text' },
    sentence: 'Messages to the webhook at {label} fail',
    ...suspicious,
    notified: 'attention',
  },
  'webhook.switched_off': {
    actors: ['relay'],
    subject: 'webhook',
    detail: { label: 'text' },
    sentence: 'The webhook to {label} failed for days and was switched off',
    tone: 'bad',
    word: 'Off',
    notified: 'attention',
  },
  'module.*': {
    actors: ['token'],
    subject: 'connection token',
    // As the module sent them: the user of the tabletop who did it, and what there is to tell.
    detail: { details: 'json?', actor: 'json?' },
    sentence: 'The module reports: {event}',
    word: 'Reported',
  },
  'records.dropped': {
    actors: ['relay'],
    detail: { count: 'number', reason: 'text', since: 'text', until: 'text' },
    sentence: '{count} entries of the logs were not written',
    ...suspicious,
  },
} as const satisfies Record<string, AuditEvent>;
