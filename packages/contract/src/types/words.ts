/* oxlint-disable max-lines -- Generated from packages/contract/src by `pnpm docs:generate`; a test compares it. */

/** The code of a failure that the relay answers. */
export type ErrorCode =
  | 'invalid_request'
  | 'client_required'
  | 'handshake_invalid'
  | 'url_not_allowed'
  | 'key_missing'
  | 'key_invalid'
  | 'key_expired'
  | 'session_missing'
  | 'session_invalid'
  | 'credentials_invalid'
  | 'second_factor_required'
  | 'second_factor_invalid'
  | 'scope_missing'
  | 'rotation_required'
  | 'second_factor_missing'
  | 'account_disabled'
  | 'paused'
  | 'acting_user_fixed'
  | 'acting_user_unchecked'
  | 'forbidden'
  | 'origin_refused'
  | 'registration_closed'
  | 'not_found'
  | 'client_not_found'
  | 'client_offline'
  | 'method_not_allowed'
  | 'conflict'
  | 'idempotency_running'
  | 'already_done'
  | 'outcome_unknown'
  | 'code_used'
  | 'code_expired'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'operation_failed'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'monthly_limit_reached'
  | 'internal'
  | 'client_bad_reply'
  | 'client_lost'
  | 'session_failed'
  | 'overloaded'
  | 'unavailable'
  | 'browser_unavailable'
  | 'client_timeout';

/** What a key may be allowed. */
export type Scope =
  | 'clients:read'
  | 'session:read'
  | 'session:manage'
  | 'encounter:read'
  | 'encounter:manage'
  | 'sys5e:read'
  | 'sys5e:write'
  | 'roll:execute'
  | 'roll:read'
  | 'entity:read'
  | 'entity:write'
  | 'search:read'
  | 'structure:read'
  | 'structure:write'
  | 'chat:read'
  | 'chat:write'
  | 'effects:read'
  | 'effects:write'
  | 'macro:read'
  | 'macro:execute'
  | 'macro:write'
  | 'script:execute'
  | 'file:read'
  | 'sheet:read'
  | 'file:write'
  | 'scene:read'
  | 'scene:write'
  | 'canvas:read'
  | 'canvas:write'
  | 'canvas:control'
  | 'playlist:read'
  | 'playlist:control'
  | 'user:read'
  | 'user:write'
  | 'world:read'
  | 'events:subscribe';

/** A kind of events that callers can follow. */
export type Channel =
  | 'hooks'
  | 'combat'
  | 'actor'
  | 'scene'
  | 'chat'
  | 'rolls';

/** The least that is kept of a page’s console. */
export type ConsoleLevel =
  | 'error'
  | 'warn'
  | 'debug';

/** A failure as the relay answers it (RFC 9457); some codes add fields. */
export interface Problem {
  /** The page that explains the code. */
  type: string;
  /** The code in words; the same for each problem of the code. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What happened and what to do. */
  detail: string;
  /** What to decide by. */
  code: 'invalid_request' | 'client_required' | 'handshake_invalid' | 'url_not_allowed' | 'key_missing' | 'key_invalid' | 'key_expired' | 'session_missing' | 'session_invalid' | 'credentials_invalid' | 'second_factor_required' | 'second_factor_invalid' | 'scope_missing' | 'rotation_required' | 'second_factor_missing' | 'account_disabled' | 'paused' | 'acting_user_fixed' | 'acting_user_unchecked' | 'forbidden' | 'origin_refused' | 'registration_closed' | 'not_found' | 'client_not_found' | 'client_offline' | 'method_not_allowed' | 'conflict' | 'idempotency_running' | 'already_done' | 'outcome_unknown' | 'code_used' | 'code_expired' | 'payload_too_large' | 'unsupported_media_type' | 'expectation_failed' | 'operation_failed' | 'idempotency_key_reused' | 'rate_limited' | 'monthly_limit_reached' | 'internal' | 'client_bad_reply' | 'client_lost' | 'session_failed' | 'overloaded' | 'unavailable' | 'browser_unavailable' | 'client_timeout';
  /** Whether the same call may be repeated. */
  retryable: boolean;
  /** Whether a failed command reached the world. */
  outcome?: 'not_sent' | 'unknown';
  /** Each field that is wrong, where the code is `invalid_request`. */
  errors?: Array<{
    /** The name as the caller wrote it; a path with dots where the fault lies deeper. */
    field: string;
    /** Where the parameter of an operation was. */
    place?: 'path' | 'query' | 'body';
    /** What is wrong, to be read after the name. */
    message: string;
  }>;
  /** The worlds that are online and that the key may reach, where the code is `client_required`. Put the `clientId` of one into the call. */
  candidates?: {
    clientId: string;
    /** The world’s title; empty where the module never told it. */
    worldTitle: string;
    /** Its name in the dashboard, where it has one. */
    customName?: string;
  }[];
  /** The scope that is needed, where the code is `scope_missing`. */
  scope?: string;
  /** The world’s own code, for example `entity_not_found`, where the code is `operation_failed`. */
  reason?: string;
  /** When the world was last connected, in epoch milliseconds (0: never), where the code is `client_offline`. */
  lastSeen?: number;
  /** The world that stands in the way, where a session meets a `conflict`. */
  clientId?: string;
  /** The headless session, where one failed or stands in the way. */
  sessionId?: string;
  /** How far the session came, where the code is `session_failed`. */
  stage?: string;
  /** What stands in the way, where the code is `paused`. */
  pause?: {
    /** Which of them is paused. */
    of: 'key' | 'world';
    /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
    setIn: 'relay' | 'tabletop';
    /** Since when. */
    since: string;
  };
  /** The user as whom the key acts, where the code is `acting_user_fixed`. */
  actingUserId?: string;
  /** Where the code is `operation_failed`, for programs that look for `success`. */
  success?: false;
  /** What may answer `second_factor_required`: `totp`, `passkey`, `recovery`. */
  methods?: string[];
  /** Goes back in `secondFactor`. It works once, for five minutes. */
  challenge?: string;
  /** When the challenge ends. */
  challengeExpiresAt?: string;
  /** `PublicKeyCredentialRequestOptionsJSON`, where `passkey` is among the methods. */
  passkeyOptions?: Record<string, unknown>;
  /** The request’s id, also in the x-request-id header. */
  traceId: string;
  /** The operation’s id, once it has one. */
  requestId?: string;
  /** Repeats `detail`, for programs that read `error`. Of a missing and of an unknown scope it has the words that programs look for. */
  error: string;
  [extra: string]: unknown;
}

/** A world as its module describes it. */
export interface WorldMetadata {
  /** The tabletop’s id of the world; compared with what was paired. */
  worldId: string;
  /** The world’s title. */
  worldTitle: string;
  /** The tabletop’s version; read from `foundryVersion` too. */
  tabletopVersion: string;
  /** The game system’s id; compared with what was paired. */
  systemId: string;
  /** The game system’s title. */
  systemTitle: string;
  /** The game system’s version. */
  systemVersion: string;
  /** The name that the module gives the world; one from the dashboard wins. */
  customName: string;
}

/** A paired world, online or not. Offline it has its last known values. */
export interface ClientRecord {
  clientId: string;
  /** The relay instance that holds the connection, or held the last one; empty: never connected. */
  instanceId: string;
  /** Epoch milliseconds; 0: never connected. */
  lastSeen: number;
  /** Epoch milliseconds; 0: never connected. */
  connectedSince: number;
  /** The tabletop’s id of the world; compared with what was paired. */
  worldId: string;
  /** The world’s title. */
  worldTitle: string;
  /** The tabletop’s version; read from `foundryVersion` too. */
  tabletopVersion: string;
  /** The game system’s id; compared with what was paired. */
  systemId: string;
  /** The game system’s title. */
  systemTitle: string;
  /** The game system’s version. */
  systemVersion: string;
  /** Repeats `tabletopVersion`, for programs that read it so. */
  foundryVersion: string;
  /** The dashboard’s name, else the module’s. Present only when set. */
  customName?: string;
  /** Address and port of the connection; empty: never connected. */
  ipAddress: string;
  /** Name of the connection token; empty: never connected. */
  tokenName: string;
  isOnline: boolean;
  /** How many further browsers wait to serve the world when this one goes: 5 at most. */
  standbys: number;
}

/** The worlds that a key may see. */
export interface ClientList {
  clients: {
    clientId: string;
    /** The relay instance that holds the connection, or held the last one; empty: never connected. */
    instanceId: string;
    /** Epoch milliseconds; 0: never connected. */
    lastSeen: number;
    /** Epoch milliseconds; 0: never connected. */
    connectedSince: number;
    /** The tabletop’s id of the world; compared with what was paired. */
    worldId: string;
    /** The world’s title. */
    worldTitle: string;
    /** The tabletop’s version; read from `foundryVersion` too. */
    tabletopVersion: string;
    /** The game system’s id; compared with what was paired. */
    systemId: string;
    /** The game system’s title. */
    systemTitle: string;
    /** The game system’s version. */
    systemVersion: string;
    /** Repeats `tabletopVersion`, for programs that read it so. */
    foundryVersion: string;
    /** The dashboard’s name, else the module’s. Present only when set. */
    customName?: string;
    /** Address and port of the connection; empty: never connected. */
    ipAddress: string;
    /** Name of the connection token; empty: never connected. */
    tokenName: string;
    isOnline: boolean;
    /** How many further browsers wait to serve the world when this one goes: 5 at most. */
    standbys: number;
  }[];
  total: number;
}

/** The part of a world that modules of the same account are told. */
export interface ClientSummary {
  clientId: string;
  /** The world’s title. */
  worldTitle: string;
  /** The game system’s id; compared with what was paired. */
  systemId: string;
  /** The game system’s title. */
  systemTitle: string;
  /** The dashboard’s name, else the module’s. Present only when set. */
  customName?: string;
  isOnline: boolean;
}

/** A world in a browser of the relay. */
export interface ActiveSession {
  sessionId: string;
  clientId: string;
  tabletopUrl: string;
  username: string;
  /** What the caller asked for: the world’s id or title. */
  worldName: string;
  /** The tabletop’s id of the world; compared with what was paired. */
  worldId: string;
  /** The world’s title. */
  worldTitle: string;
  /** The tabletop’s version; read from `foundryVersion` too. */
  tabletopVersion: string;
  /** The game system’s id; compared with what was paired. */
  systemId: string;
  /** The game system’s title. */
  systemTitle: string;
  /** The game system’s version. */
  systemVersion: string;
  state: 'starting' | 'active' | 'ending';
  /** Epoch milliseconds. */
  startedAt: number;
  /** Epoch milliseconds of the last call or event. */
  lastActivity: number;
}
