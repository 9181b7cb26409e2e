// oxlint-disable max-lines -- It is one list, the tables as the migrations leave them.
import type { ColumnType, Generated, RawBuilder } from 'kysely';

type Timestamp = ColumnType<Date, Date, Date>;
type CreatedAt = ColumnType<Date, Date | undefined, never>;

export interface AccountsTable {
  id: string;
  email: string;
  passwordHash: string;
  masterKeyHash: Buffer;
  masterKeyHint: string;
  masterKeyLastUsedAt: Timestamp | null;
  isAdministrator: Generated<boolean>;
  rotationRequired: Generated<boolean>;
  disabledAt: Timestamp | null;
  emailProvenAt: Timestamp | null;
  createdAt: CreatedAt;
}

export interface SessionsTable {
  id: string;
  accountId: string;
  hash: Buffer;
  userAgent: string;
  ipAddress: string;
  createdAt: CreatedAt;
  lastUsedAt: ColumnType<Date, Date | undefined, Date>;
  idleExpiresAt: ColumnType<Date, Date | undefined, Date>;
  expiresAt: Timestamp;
}

export interface PasswordResetsTable {
  hash: Buffer;
  accountId: string;
  createdAt: CreatedAt;
  expiresAt: Timestamp;
}

export interface SignInFailuresTable {
  accountHmac: Buffer;
  source: string;
  failures: number;
  nextAt: Timestamp;
  until: Timestamp;
}

export interface SecondFactorsTable {
  id: string;
  accountId: string;
  kind: 'totp' | 'passkey';
  name: string;
  createdAt: CreatedAt;
  lastUsedAt: Timestamp | null;
  /** Of `totp`. */
  sealedSecret: string | null;
  lastStep: number | null;
  /** Of `passkey`, to the end. */
  credentialId: string | null;
  publicKey: Buffer | null;
  /** A bigint, which is read as text. */
  signCount: ColumnType<string | null, number | null, number>;
  transports: string[] | null;
  rpId: string | null;
}

export interface RecoveryCodesTable {
  hash: Buffer;
  accountId: string;
  createdAt: CreatedAt;
}

export interface UsedTokensTable {
  hash: Buffer;
  accountId: string;
  expiresAt: Timestamp;
}

export interface KnownClientsTable {
  clientId: string;
  accountId: string;
  pairedWorldId: string;
  pairedSystemId: Generated<string>;
  pairedOrigin: Generated<string>;
  serverFingerprint: Generated<string>;
  worldId: string;
  worldTitle: Generated<string>;
  tabletopVersion: Generated<string>;
  systemId: Generated<string>;
  systemTitle: Generated<string>;
  systemVersion: Generated<string>;
  customName: Generated<string>;
  moduleCustomName: Generated<string>;
  lastInstanceId: Generated<string>;
  ipAddress: Generated<string>;
  tokenName: Generated<string>;
  lastSeenAt: Timestamp | null;
  connectedSince: Timestamp | null;
  createdAt: CreatedAt;
}

export interface InstancesTable {
  boot: string;
  instanceId: Generated<string>;
  heldUntil: Timestamp;
  holds: ColumnType<unknown, string | null | undefined, string | null>;
  seenAt: ColumnType<Date, Date | undefined, Date>;
  reportedAt: Timestamp | null;
  version: Generated<string>;
  worlds: Generated<number>;
  databaseConnections: Generated<number>;
  keyIds: Generated<string[]>;
  load: ColumnType<unknown, string | undefined, string>;
  drainAskedAt: Timestamp | null;
  redis: ColumnType<unknown, string | null | undefined, string | null>;
}

/** By the id of each world the user as whom a credential acts there. Null: bound to nobody. */
type ActingUserIds = ColumnType<
  Readonly<Record<string, string>> | null,
  Readonly<Record<string, string>> | null | undefined,
  Readonly<Record<string, string>> | null | RawBuilder<Record<string, string>>
>;

export interface ApiKeysTable {
  id: string;
  accountId: string;
  hash: Buffer;
  hint: string;
  name: string;
  scopes: string[];
  clientIds: string[] | null;
  actingUserIds: ActingUserIds;
  monthlyLimit: number | null;
  expiresAt: Timestamp | null;
  lastUsedAt: Timestamp | null;
  createdAt: CreatedAt;
  reachesPaused: Generated<boolean>;
  scopesByHand: Generated<boolean>;
}

export interface PausesTable {
  accountId: string;
  /** One of the two. */
  keyId: string | null;
  clientId: string | null;
  setIn: 'relay' | 'tabletop';
  since: ColumnType<Date, Date | undefined, Date | RawBuilder<Date>>;
  actor: 'session' | 'administrator' | 'operator' | 'token';
  userName: Generated<string>;
  liftedAt: ColumnType<Date | null, Date | null | undefined, Date | null | RawBuilder<Date>>;
}

export interface OldKeyValuesTable {
  keyId: string;
  hash: Buffer;
  hint: string;
  rolledAt: Timestamp;
  endsAt: Timestamp;
  lastUsedAt: Timestamp | null;
}

export interface KeyUsageTable {
  keyId: string;
  month: ColumnType<string, string, never>;
  /** A bigint, which is read as text; so is the next. */
  calls: ColumnType<string, number, number>;
  refused: ColumnType<string, number | undefined, number>;
}

export interface UsageBatchesTable {
  boot: string;
  number: ColumnType<string, number, number>;
  at: ColumnType<Date, Date | undefined, Date>;
}

export interface ConnectionTokensTable {
  id: string;
  accountId: string;
  clientId: string;
  hash: Buffer;
  hint: string;
  name: string;
  allowedTargetClients: Generated<string[]>;
  actingUserIds: ActingUserIds;
  remoteScopes: Generated<string[]>;
  ipAllowlist: Generated<string>;
  worldId: string;
  systemId: Generated<string>;
  origin: Generated<string>;
  lastUsedAt: Timestamp | null;
  lastIpAddress: Generated<string>;
  createdAt: CreatedAt;
}

export interface PairingCodesTable {
  id: string;
  accountId: string;
  codeHmac: Buffer;
  clientId: string | null;
  allowedTargetClients: Generated<string[]>;
  remoteScopes: Generated<string[]>;
  ipAllowlist: Generated<string>;
  createdFrom: string;
  createdAt: CreatedAt;
  expiresAt: Timestamp;
  usedAt: Timestamp | null;
  worldId: string | null;
  origin: string | null;
}

export interface PairRequestsTable {
  id: string;
  codeHash: Buffer;
  worldId: string;
  worldTitle: Generated<string>;
  tabletopVersion: Generated<string>;
  systemId: Generated<string>;
  systemTitle: Generated<string>;
  systemVersion: Generated<string>;
  origin: Generated<string>;
  clientId: string | null;
  requestedFrom: string;
  status: Generated<'pending' | 'approved' | 'denied' | 'exchanged'>;
  accountId: string | null;
  allowedTargetClients: Generated<string[]>;
  remoteScopes: Generated<string[]>;
  ipAllowlist: Generated<string>;
  createdAt: CreatedAt;
  expiresAt: Timestamp;
  existingClientId: Generated<string>;
  serverFingerprint: Generated<string>;
  joinsClientId: string | null;
}

export interface PairingFailuresTable {
  minute: Timestamp;
  failures: number;
}

export interface KeyRequestsTable {
  id: string;
  codeHash: Buffer;
  appName: string;
  appDescription: Generated<string>;
  appUrl: Generated<string>;
  scopes: string[];
  askedScopes: Generated<string[]>;
  suggestedMonthlyLimit: number | null;
  suggestedClientIds: string[] | null;
  suggestedActingUserIds: ActingUserIds;
  suggestedExpiresAt: Timestamp | null;
  callbackUrl: string | null;
  pollChallenge: string | null;
  requestedFrom: string;
  status: Generated<'pending' | 'approved' | 'denied' | 'exchanged'>;
  accountId: string | null;
  grantedScopes: string[] | null;
  grantedClientIds: string[] | null;
  grantedActingUserIds: ActingUserIds;
  grantedMonthlyLimit: number | null;
  grantedExpiresAt: Timestamp | null;
  exchangeCodeHash: Buffer | null;
  keyId: string | null;
  createdAt: CreatedAt;
  expiresAt: Timestamp;
}

type ClientAuth = 'none' | 'client_secret_post' | 'client_secret_basic';

export interface OauthRequestsTable {
  id: string;
  codeHash: Buffer;
  browserHash: Buffer;
  clientIdHash: Buffer;
  clientName: string;
  clientSecretHash: Buffer | null;
  clientAuth: ClientAuth;
  redirectUri: string;
  state: string | null;
  challenge: string;
  scopes: string[];
  requestedFrom: string;
  status: Generated<'pending' | 'approved' | 'denied' | 'exchanged'>;
  accountId: string | null;
  grantedScopes: string[] | null;
  grantedClientIds: string[] | null;
  grantedActingUserIds: ActingUserIds;
  grantedMonthlyLimit: number | null;
  grantedExpiresAt: Timestamp | null;
  exchangeCodeHash: Buffer | null;
  keyId: string | null;
  createdAt: CreatedAt;
  expiresAt: Timestamp;
}

export interface OauthGrantsTable {
  keyId: string;
  clientIdHash: Buffer;
  clientSecretHash: Buffer | null;
  clientAuth: ClientAuth;
  host: string;
  familyHash: Buffer;
  refreshHash: Buffer;
  refreshEndsAt: Timestamp;
  beforeHash: Buffer | null;
  rotatedAt: Timestamp;
}

export interface OauthTokensTable {
  hash: Buffer;
  keyId: string;
  endsAt: Timestamp;
}

export interface HeadlessSessionsTable {
  id: string;
  accountId: string;
  keyId: string | null;
  tabletopUrl: string;
  username: string;
  worldName: string;
  consoleLevel: 'error' | 'warn' | 'debug' | null;
  state: Generated<'starting' | 'active' | 'ending' | 'ended' | 'failed'>;
  stage: Generated<string>;
  stageNumber: Generated<number>;
  stages: Generated<number>;
  detail: Generated<string>;
  failure: 'session_failed' | 'browser_unavailable' | null;
  sealKey: Buffer | null;
  host: Generated<string>;
  run: Generated<number>;
  seenAt: Timestamp | null;
  world: ColumnType<Record<string, string> | null, string | null, string | null>;
  clientId: string | null;
  tokenId: string | null;
  sealedToken: string | null;
  createdAt: CreatedAt;
  lastActivityAt: ColumnType<Date, Date | undefined, Date>;
  endedAt: Timestamp | null;
}

export interface HeadlessViewsTable {
  sessionId: string;
  pictureWantedAt: Timestamp | null;
  picture: Buffer | null;
  pictureAt: Timestamp | null;
  console: ColumnType<
    { at: string; level: 'error' | 'warn' | 'debug'; text: string }[],
    string | undefined,
    string
  >;
}

export interface CredentialEventsTable {
  /** A bigint, which is read as text. */
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  accountId: string;
  subject: 'account' | 'key' | 'token' | 'client' | 'session';
  subjectId: string;
  change: 'revoked' | 'given_back' | 'changed' | 'blocked' | 'unblocked' | 'sessions_ended';
}

export interface ConnectionLogsTable {
  id: string;
  at: Date;
  accountId: string | null;
  clientId: string;
  tokenId: string | null;
  tokenName: string;
  ipAddress: string;
  userAgent: string;
  worldId: string;
  worldTitle: string;
  systemId: string;
  systemVersion: string;
  tabletopVersion: string;
  metadataMatch: boolean | null;
  mismatch: string[];
  outcome: string;
  closeCode: number | null;
  /** The number of attempts that the row stands for. Null is one. */
  attempts: number | null;
  instanceId: string;
}

/** A connection whose end is not recorded yet. */
export interface OpenConnectionsTable {
  conn: string;
  boot: string;
  clientId: string;
  accountId: string;
  /** The row of its beginning, with the names of its columns. */
  record: Record<string, unknown>;
  openedAt: Timestamp;
  endedAt: Date | null;
}

export interface RemoteRequestLogsTable {
  id: string;
  at: Date;
  accountId: string | null;
  sourceClientId: string;
  sourceTokenId: string;
  sourceTokenName: string | null;
  targetClientId: string;
  action: string;
  outcome: string;
  error: string;
  ipAddress: string;
  durationMs: number;
  /** Null: one. */
  attempts: number | null;
  instanceId: string;
}

export interface AuditLogTable {
  id: string;
  at: Date;
  accountId: string | null;
  event: string;
  outcome: string;
  actor: string;
  clientId: string | null;
  subjectId: string | null;
  ipAddress: string;
  userAgent: string;
  detail: ColumnType<Record<string, unknown>, string, never>;
  instanceId: string;
}

export interface CallLogTable {
  id: string;
  at: Date;
  accountId: string;
  keyId: string;
  keyName: string;
  clientId: string | null;
  operation: string;
  outcome: string;
  status: number;
  relayMs: number;
  worldMs: number | null;
  requestId: string;
  standsFor: number;
  instanceId: string;
  /** Null in the rows of an older version; so are the next six. */
  ipAddress: string | null;
  userAgent: string | null;
  oldValue: boolean | null;
  ignoredParameters: string | null;
  via: 'http' | 'mcp' | 'socket' | null;
  /** Null of a call that came another way, too. */
  assistant: string | null;
  replayed: boolean | null;
}

export interface CallBodiesTable {
  id: string;
  at: Date;
  accountId: string;
  request: string;
  answer: string;
  requestLacks: string;
  answerLacks: string;
}

export interface CallHoursTable {
  accountId: string;
  hour: Timestamp;
  keyId: string;
  clientId: string;
  outcome: string;
  /** A bigint, which is read as text; so are the counts. */
  calls: ColumnType<string, number, number>;
  relayTimes: ColumnType<string[], number[], number[]>;
  worldTimes: ColumnType<string[], number[], number[]>;
}

export interface CallMinutesTable {
  minute: Timestamp;
  instanceId: string;
  outcome: string;
  /** A bigint, which is read as text. */
  calls: ColumnType<string, number, number>;
}

export interface CallLogSettingsTable {
  accountId: string;
  keepsBodies: boolean;
}

export interface NoticesTable {
  /** A bigint, which is read as text. */
  id: ColumnType<string, never, never>;
  accountId: string;
  source: 'connection_logs' | 'audit_log';
  record: ColumnType<Record<string, unknown>, string, never>;
  at: CreatedAt;
}

export interface NotificationSettingsTable {
  accountId: string;
  events: string[];
  emailEnabled: boolean;
  quietFrom: string | null;
  quietTo: string | null;
  timeZone: string | null;
  batchSeconds: number;
}

export interface WebhooksTable {
  id: string;
  accountId: string;
  kind: 'standard' | 'discord' | 'slack' | 'mattermost';
  label: string;
  sealedUrl: string;
  sealedSecret: string | null;
  enabled: Generated<boolean>;
  failingSince: Timestamp | null;
  switchedOffAt: Timestamp | null;
  createdAt: CreatedAt;
}

export interface NotificationsTable {
  id: string;
  accountId: string | null;
  target: string;
  kind: WebhooksTable['kind'] | 'email';
  label: string;
  status: 'collecting' | 'waiting' | 'sent' | 'failed';
  events: ColumnType<Record<string, unknown>[], string, string>;
  eventCount: number;
  createdAt: CreatedAt;
  nextTryAt: Timestamp;
  heldUntil: Timestamp | null;
  tries: Generated<number>;
  triedSince: Timestamp | null;
  sentAt: Timestamp | null;
  answeredAt: Timestamp | null;
  answerStatus: number | null;
  answer: string | null;
}

export interface ToldTroublesTable {
  event: string;
  subjectId: string;
  at: ColumnType<Date, Date | undefined, Date>;
}

export interface EmailConfirmationsTable {
  hash: Buffer;
  accountId: string;
  createdAt: CreatedAt;
  expiresAt: Timestamp;
}

/** The tables after all migrations. */
export interface Tables {
  accounts: AccountsTable;
  sessions: SessionsTable;
  passwordResets: PasswordResetsTable;
  signInFailures: SignInFailuresTable;
  secondFactors: SecondFactorsTable;
  recoveryCodes: RecoveryCodesTable;
  usedTokens: UsedTokensTable;
  knownClients: KnownClientsTable;
  instances: InstancesTable;
  apiKeys: ApiKeysTable;
  oldKeyValues: OldKeyValuesTable;
  keyUsage: KeyUsageTable;
  pauses: PausesTable;
  usageBatches: UsageBatchesTable;
  connectionTokens: ConnectionTokensTable;
  pairingCodes: PairingCodesTable;
  pairingFailures: PairingFailuresTable;
  pairRequests: PairRequestsTable;
  keyRequests: KeyRequestsTable;
  oauthRequests: OauthRequestsTable;
  oauthGrants: OauthGrantsTable;
  oauthTokens: OauthTokensTable;
  headlessSessions: HeadlessSessionsTable;
  headlessViews: HeadlessViewsTable;
  credentialEvents: CredentialEventsTable;
  callLog: CallLogTable;
  callBodies: CallBodiesTable;
  callHours: CallHoursTable;
  callMinutes: CallMinutesTable;
  callLogSettings: CallLogSettingsTable;
  notices: NoticesTable;
  notificationSettings: NotificationSettingsTable;
  webhooks: WebhooksTable;
  notifications: NotificationsTable;
  toldTroubles: ToldTroublesTable;
  emailConfirmations: EmailConfirmationsTable;
  connectionLogs: ConnectionLogsTable;
  openConnections: OpenConnectionsTable;
  remoteRequestLogs: RemoteRequestLogsTable;
  auditLog: AuditLogTable;
}
