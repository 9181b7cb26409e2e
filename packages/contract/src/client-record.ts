import { Type } from 'typebox';
import type { Static } from 'typebox';

/** A paired world, online or not. Offline it has its last known values; what never was is empty or 0. */
export const ClientRecord = Type.Object({
  clientId: Type.String(),
  instanceId: Type.String({ description: 'The relay instance that holds the connection.' }),
  lastSeen: Type.Integer({ description: 'Epoch milliseconds; 0: never connected.' }),
  connectedSince: Type.Integer({ description: 'Epoch milliseconds; 0: never connected.' }),
  worldId: Type.String(),
  worldTitle: Type.String(),
  tabletopVersion: Type.String(),
  systemId: Type.String(),
  systemTitle: Type.String(),
  systemVersion: Type.String(),
  customName: Type.Optional(Type.String({ description: 'Present only when set.' })),
  ipAddress: Type.String({ description: 'Address and port of the connection.' }),
  tokenName: Type.String({ description: 'Name of the connection token.' }),
  isOnline: Type.Boolean(),
});

/** The answer of `GET /clients`. */
export const ClientList = Type.Object({ clients: Type.Array(ClientRecord), total: Type.Integer() });

export type ClientRecord = Static<typeof ClientRecord>;
export type ClientList = Static<typeof ClientList>;
