import type { ColumnType, Generated } from 'kysely';

type Timestamp = ColumnType<Date, Date, Date>;
type CreatedAt = ColumnType<Date, Date | undefined, never>;

export interface AccountsTable {
  id: string;
  email: string;
  password_hash: string;
  master_key_hash: Buffer;
  master_key_hint: string;
  master_key_last_used_at: Timestamp | null;
  is_administrator: Generated<boolean>;
  rotation_required: Generated<boolean>;
  disabled_at: Timestamp | null;
  email_proven_at: Timestamp | null;
  created_at: CreatedAt;
}

export interface SessionsTable {
  id: string;
  account_id: string;
  hash: Buffer;
  user_agent: string;
  ip_address: string;
  created_at: CreatedAt;
  last_used_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Timestamp;
}

export interface PasswordResetsTable {
  hash: Buffer;
  account_id: string;
  created_at: CreatedAt;
  expires_at: Timestamp;
}

export interface LoginFailuresTable {
  email_hmac: Buffer;
  failures: number;
  since: Timestamp;
  next_at: Timestamp;
}

export interface SignInFailuresTable {
  account_hmac: Buffer;
  source: string;
  failures: number;
  next_at: Timestamp;
  until: Timestamp;
}

export interface KnownClientsTable {
  client_id: string;
  account_id: string;
  paired_world_id: string;
  paired_system_id: Generated<string>;
  paired_origin: Generated<string>;
  server_fingerprint: Generated<string>;
  world_id: string;
  world_title: Generated<string>;
  tabletop_version: Generated<string>;
  system_id: Generated<string>;
  system_title: Generated<string>;
  system_version: Generated<string>;
  custom_name: Generated<string>;
  module_custom_name: Generated<string>;
  last_instance_id: Generated<string>;
  ip_address: Generated<string>;
  token_name: Generated<string>;
  last_seen_at: Timestamp | null;
  connected_since: Timestamp | null;
  created_at: CreatedAt;
}

export interface InstancesTable {
  boot: string;
  instance_id: Generated<string>;
  held_until: Timestamp;
  seen_at: ColumnType<Date, Date | undefined, Date>;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  hash: Buffer;
  hint: string;
  name: string;
  scopes: string[];
  client_ids: string[] | null;
  monthly_limit: number | null;
  expires_at: Timestamp | null;
  last_used_at: Timestamp | null;
  created_at: CreatedAt;
}

export interface KeyUsageTable {
  key_id: string;
  month: ColumnType<string, string, never>;
  /** A bigint: text when it is read. */
  calls: ColumnType<string, number, number>;
}

export interface UsageBatchesTable {
  boot: string;
  number: ColumnType<string, number, number>;
  at: ColumnType<Date, Date | undefined, Date>;
}

export interface ConnectionTokensTable {
  id: string;
  account_id: string;
  client_id: string;
  hash: Buffer;
  hint: string;
  name: string;
  allowed_target_clients: Generated<string[]>;
  remote_scopes: Generated<string[]>;
  ip_allowlist: Generated<string>;
  world_id: string;
  system_id: Generated<string>;
  origin: Generated<string>;
  last_used_at: Timestamp | null;
  last_ip_address: Generated<string>;
  created_at: CreatedAt;
}

export interface PairingCodesTable {
  id: string;
  account_id: string;
  code_hmac: Buffer;
  client_id: string | null;
  allowed_target_clients: Generated<string[]>;
  remote_scopes: Generated<string[]>;
  ip_allowlist: Generated<string>;
  created_from: string;
  created_at: CreatedAt;
  expires_at: Timestamp;
  used_at: Timestamp | null;
}

export interface PairingFailuresTable {
  minute: Timestamp;
  failures: number;
}

export interface KeyRequestsTable {
  id: string;
  code_hash: Buffer;
  app_name: string;
  app_description: Generated<string>;
  app_url: Generated<string>;
  scopes: string[];
  suggested_monthly_limit: number | null;
  callback_url: string | null;
  poll_challenge: string | null;
  requested_from: string;
  status: Generated<'pending' | 'approved' | 'denied' | 'exchanged'>;
  account_id: string | null;
  granted_scopes: string[] | null;
  granted_client_ids: string[] | null;
  granted_monthly_limit: number | null;
  granted_expires_at: Timestamp | null;
  exchange_code_hash: Buffer | null;
  key_id: string | null;
  created_at: CreatedAt;
  expires_at: Timestamp;
}

export interface CredentialEventsTable {
  /** A bigint: text when it is read. */
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  account_id: string;
  subject: 'account' | 'key' | 'token' | 'client' | 'session';
  subject_id: string;
  change: 'revoked' | 'changed' | 'blocked' | 'unblocked' | 'sessions_ended';
}

export interface ConnectionLogsTable {
  id: string;
  at: Date;
  account_id: string | null;
  client_id: string;
  token_id: string | null;
  token_name: string;
  ip_address: string;
  user_agent: string;
  world_id: string;
  world_title: string;
  system_id: string;
  system_version: string;
  tabletop_version: string;
  metadata_match: boolean | null;
  mismatch: string[];
  outcome: string;
  close_code: number | null;
  /** How many attempts the row stands for; null: one. */
  attempts: number | null;
  instance_id: string;
}

export interface RemoteRequestLogsTable {
  id: string;
  at: Date;
  account_id: string | null;
  source_client_id: string;
  source_token_id: string;
  target_client_id: string;
  action: string;
  outcome: string;
  error: string;
  ip_address: string;
  duration_ms: number;
  instance_id: string;
}

export interface AuditLogTable {
  id: string;
  at: Date;
  account_id: string | null;
  event: string;
  outcome: string;
  actor: string;
  client_id: string | null;
  subject_id: string | null;
  ip_address: string;
  user_agent: string;
  detail: ColumnType<Record<string, unknown>, string, never>;
  instance_id: string;
}

/** The tables as migrated; the three records at the end are append-only. */
export interface Tables {
  accounts: AccountsTable;
  sessions: SessionsTable;
  password_resets: PasswordResetsTable;
  login_failures: LoginFailuresTable;
  sign_in_failures: SignInFailuresTable;
  known_clients: KnownClientsTable;
  instances: InstancesTable;
  api_keys: ApiKeysTable;
  key_usage: KeyUsageTable;
  usage_batches: UsageBatchesTable;
  connection_tokens: ConnectionTokensTable;
  pairing_codes: PairingCodesTable;
  pairing_failures: PairingFailuresTable;
  key_requests: KeyRequestsTable;
  credential_events: CredentialEventsTable;
  connection_logs: ConnectionLogsTable;
  remote_request_logs: RemoteRequestLogsTable;
  audit_log: AuditLogTable;
}
