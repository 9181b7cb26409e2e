import { Type } from 'typebox';
import type { Static, TProperties, TSchema } from 'typebox';
import { scopeNames } from './scopes.ts';
import { WorldMetadata, loggedMetadata, pairingMetadata } from './world.ts';

/**
 * Bodies and items of the account API: what the dashboard sends and shows. Times are ISO 8601. Bodies refuse
 * unknown fields; answers may gain fields.
 */
const body = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const id = Type.String({ minLength: 1, maxLength: 64 });
const time = Type.String({ format: 'date-time' });
const email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$',
  description: 'E-mail address; upper and lower case are the same.',
});
const newPassword = Type.String({
  minLength: 10,
  maxLength: 128,
  description: '10 to 128 characters, not among the common ones.',
});
const password = Type.String({ minLength: 1, maxLength: 128 });
const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Without line breaks, control or invisible characters.',
});
const scope = Type.Enum(scopeNames);
const scopeList = Type.Array(scope, { minItems: 1, maxItems: 50 });
const remoteScopes = Type.Array(scope, {
  maxItems: 50,
  description: 'Scopes that the token holds on other worlds.',
});
const clientIdList = Type.Array(id, { maxItems: 500 });
const targetClients = Type.Array(id, {
  maxItems: 500,
  description: 'Other worlds that the token may send requests to.',
});
const monthlyLimit = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Calls per calendar month (UTC).',
});
const ipAllowlist = Type.String({
  maxLength: 4000,
  description: 'Comma-separated addresses and CIDR ranges; empty: from anywhere.',
});
/** An empty list would read as "no world" and as "every world": it is refused. */
const keyClients = nullable(Type.Array(id, { minItems: 1, maxItems: 500 }));

export const Account = Type.Object({
  id,
  email: Type.String(),
  createdAt: time,
  emailProven: Type.Boolean(),
  isAdministrator: Type.Boolean(),
  rotationRequired: Type.Boolean({
    description: 'API access is blocked until the master key is regenerated.',
  }),
  disabled: Type.Boolean(),
  masterKeyHint: Type.String(),
  masterKeyLastUsedAt: nullable(time),
});

export const AccountRef = Type.Object({ id, email: Type.String() });

export const RegisterBody = body({ email, password: newPassword });
export const RegisterAnswer = Type.Object({
  account: AccountRef,
  masterKey: Type.String({ description: 'Shown here and at rotation, never again.' }),
  sessionToken: Type.String(),
  expiresAt: time,
});

export const LoginBody = body({ email, password });
export const LoginAnswer = Type.Object({
  account: AccountRef,
  sessionToken: Type.String(),
  expiresAt: time,
  rotationRequired: Type.Boolean(),
});

export const Session = Type.Object({
  id,
  createdAt: time,
  lastUsedAt: time,
  expiresAt: time,
  userAgent: Type.String(),
  device: Type.String({ description: 'The user agent in words, for example "Firefox on Linux".' }),
  ipAddress: Type.String(),
  current: Type.Boolean(),
});

export const ChangePasswordBody = body({ currentPassword: password, newPassword });
export const ForgotPasswordBody = body({ email });
export const ResetPasswordBody = body({
  token: Type.String({ maxLength: 200, description: 'From the mailed link; it works once, for an hour.' }),
  password: newPassword,
});
export const DeleteAccountBody = body({ password });
export const RegenerateKeyBody = body({ email, password });
export const RegenerateKeyAnswer = Type.Object({ masterKey: Type.String() });

export const ApiKey = Type.Object({
  id,
  name: Type.String(),
  hint: Type.String({ description: 'Prefix, first and last four characters.' }),
  scopes: Type.Array(Type.String()),
  clientIds: nullable(clientIdList),
  monthlyLimit: nullable(Type.Integer()),
  usedThisMonth: Type.Integer(),
  expiresAt: nullable(time),
  lastUsedAt: nullable(time),
  createdAt: time,
});
export const CreateApiKeyBody = body({
  name,
  scopes: scopeList,
  clientIds: Type.Optional(keyClients),
  monthlyLimit: Type.Optional(nullable(monthlyLimit)),
  expiresAt: Type.Optional(nullable(time)),
});
export const NewApiKey = Type.Object({
  ...ApiKey.properties,
  apiKey: Type.String({ description: 'Shown here, never again.' }),
});
export const UpdateApiKeyBody = Type.Partial(CreateApiKeyBody, {
  additionalProperties: false,
  minProperties: 1,
});

export const CreatePairingCodeBody = body({
  clientId: Type.Optional(id),
  allowedTargetClients: Type.Optional(targetClients),
  remoteScopes: Type.Optional(remoteScopes),
  ipAllowlist: Type.Optional(ipAllowlist),
});
export const PairingCode = Type.Object({
  code: Type.String({ description: 'Six characters; upper and lower case are the same.' }),
  expiresIn: Type.Integer({ description: 'Seconds.' }),
  expiresAt: time,
});

/** Modules send more than this: it is ignored. */
export const PairBody = Type.Object(
  {
    code: Type.String({ maxLength: 32 }),
    ...pairingMetadata,
  },
  { additionalProperties: true },
);
export const PairAnswer = Type.Object({
  token: Type.String({ description: 'Opens the WebSocket for this clientId, from this browser.' }),
  clientId: id,
  relayUrl: Type.String(),
});
export const SelfUnpairBody = Type.Object(
  { token: Type.String({ maxLength: 200 }) },
  { additionalProperties: true },
);

export const ConnectionToken = Type.Object({
  id,
  clientId: id,
  name: Type.String(),
  hint: Type.String(),
  allowedTargetClients: clientIdList,
  remoteScopes: Type.Array(Type.String()),
  ipAllowlist: Type.String(),
  origin: Type.String(),
  lastUsedAt: nullable(time),
  lastIpAddress: Type.String(),
  isConnected: nullable(
    Type.Boolean({
      description: 'Whether this browser holds its world’s connection now; null while nobody can tell.',
    }),
  ),
  createdAt: time,
});
export const UpdateConnectionTokenBody = Type.Partial(
  body({ name, ipAllowlist, allowedTargetClients: targetClients, remoteScopes }),
  { additionalProperties: false, minProperties: 1 },
);

export const KnownClient = Type.Object({
  clientId: id,
  ...WorldMetadata.properties,
  customName: Type.String({ description: 'The dashboard’s, else the module’s, else empty.' }),
  isOnline: nullable(Type.Boolean({ description: 'Null while the cluster cannot tell.' })),
  instanceId: Type.String(),
  ipAddress: Type.String(),
  tokenName: Type.String(),
  lastSeenAt: nullable(time),
  connectedSince: nullable(time),
  tokens: Type.Integer({ description: 'How many browsers are paired.' }),
  createdAt: time,
});
export const UpdateKnownClientBody = body({ customName: Type.String({ maxLength: 100 }) });

export const CreateKeyRequestBody = body({
  appName: name,
  appDescription: Type.Optional(Type.String({ maxLength: 1000 })),
  appUrl: Type.Optional(Type.String({ maxLength: 2000, description: 'An http or https address.' })),
  scopes: scopeList,
  suggestedMonthlyLimit: Type.Optional(monthlyLimit),
  callbackUrl: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'An https address, or http on the machine itself; without user and fragment.',
    }),
  ),
  pollChallenge: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'Base64url of SHA-256 of the verifier.' }),
  ),
});
export const KeyRequestCreated = Type.Object({
  code: Type.String(),
  approvalUrl: Type.String(),
  expiresIn: Type.Integer({ description: 'Seconds.' }),
  expiresAt: time,
});
export const keyRequestStatuses = ['pending', 'approved', 'denied', 'expired', 'exchanged'] as const;
export const KeyRequestStatus = Type.Object({
  status: Type.Enum([...keyRequestStatuses]),
  apiKey: Type.Optional(Type.String({ description: 'Only in the one answer that collects it.' })),
  scopes: Type.Optional(Type.Array(Type.String())),
  clientIds: Type.Optional(clientIdList),
});
export const ExchangeBody = body({ code: Type.String({ maxLength: 64 }) });
export const ExchangeAnswer = Type.Object({
  apiKey: Type.String(),
  scopes: Type.Array(Type.String()),
  clientIds: clientIdList,
});
export const KeyRequest = Type.Object({
  appName: Type.String(),
  appDescription: Type.String(),
  appUrl: Type.String(),
  scopes: Type.Array(Type.String()),
  suggestedMonthlyLimit: nullable(Type.Integer()),
  callbackHost: nullable(Type.String({ description: 'Where the web flow leads; null in the device flow.' })),
  requestedFrom: Type.String({ description: 'The address that asked.' }),
  status: Type.Enum([...keyRequestStatuses]),
  createdAt: time,
  expiresAt: time,
});
export const ApproveKeyRequestBody = body({
  scopes: Type.Optional(scopeList),
  clientIds: Type.Optional(keyClients),
  monthlyLimit: Type.Optional(nullable(monthlyLimit)),
  expiresAt: Type.Optional(nullable(time)),
});
export const KeyRequestDecision = Type.Object({
  status: Type.Enum(['approved', 'denied']),
  redirectUrl: Type.Optional(Type.String({ description: 'Where the web flow goes on.' })),
});

const record = { id, at: time, ipAddress: Type.String(), instanceId: Type.String() };

export const ConnectionLog = Type.Object({
  ...record,
  clientId: Type.String(),
  tokenId: nullable(id),
  tokenName: Type.String(),
  userAgent: Type.String(),
  ...Type.Pick(WorldMetadata, loggedMetadata).properties,
  metadataMatch: nullable(Type.Boolean()),
  mismatch: Type.Array(Type.String()),
  outcome: Type.String(),
  closeCode: nullable(Type.Integer()),
  attempts: Type.Integer({
    description:
      'How many attempts this entry stands for. Above 1: refused ones of one minute, counted by address (IPv6: its prefix).',
  }),
});

export const AuditEntry = Type.Object({
  ...record,
  event: Type.String(),
  outcome: Type.String(),
  actor: Type.String(),
  clientId: nullable(Type.String()),
  subjectId: nullable(Type.String()),
  userAgent: Type.String(),
  detail: Type.Object({}, { additionalProperties: true }),
});

export const PageQuery = body({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(id),
});
export const LogQuery = body({
  ...PageQuery.properties,
  client: Type.Optional(id),
  outcome: Type.Optional(Type.String({ maxLength: 50 })),
  since: Type.Optional(time),
  until: Type.Optional(time),
});

/** One page of a list, newest first; `nextCursor` is null on the last. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), nextCursor: nullable(Type.String()) });

export const AdminAccount = Type.Object({
  id,
  email: Type.String(),
  createdAt: time,
  isAdministrator: Type.Boolean(),
  rotationRequired: Type.Boolean(),
  disabled: Type.Boolean(),
  clients: Type.Integer(),
  apiKeys: Type.Integer(),
});

export type Account = Static<typeof Account>;
export type AccountRef = Static<typeof AccountRef>;
export type Session = Static<typeof Session>;
export type ApiKey = Static<typeof ApiKey>;
export type NewApiKey = Static<typeof NewApiKey>;
export type PairBody = Static<typeof PairBody>;
export type PairAnswer = Static<typeof PairAnswer>;
export type PairingCode = Static<typeof PairingCode>;
export type ConnectionToken = Static<typeof ConnectionToken>;
export type KnownClient = Static<typeof KnownClient>;
export type KeyRequest = Static<typeof KeyRequest>;
export type KeyRequestStatus = Static<typeof KeyRequestStatus>;
export type KeyRequestDecision = Static<typeof KeyRequestDecision>;
export type ConnectionLog = Static<typeof ConnectionLog>;
export type AuditEntry = Static<typeof AuditEntry>;
export type AdminAccount = Static<typeof AdminAccount>;
