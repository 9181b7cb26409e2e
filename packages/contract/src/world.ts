import { Type } from 'typebox';
import type { Static } from 'typebox';

/** A world as its module describes it at pairing and at connecting. A field is empty where the module is silent. */
export const WorldMetadata = Type.Object({
  worldId: Type.String({ description: 'The tabletop’s id of the world; compared with what was paired.' }),
  worldTitle: Type.String({ description: 'The world’s title.' }),
  tabletopVersion: Type.String({ description: 'The tabletop’s version; read from `foundryVersion` too.' }),
  systemId: Type.String({ description: 'The game system’s id; compared with what was paired.' }),
  systemTitle: Type.String({ description: 'The game system’s title.' }),
  systemVersion: Type.String({ description: 'The game system’s version.' }),
  customName: Type.String({
    description: 'The name that the module gives the world; one from the dashboard wins.',
  }),
});

const { customName: _customName, ...world } = WorldMetadata.properties;

/** A paired world as callers see it, online or not. Offline it has its last known values. */
export const ClientRecord = Type.Object(
  {
    clientId: Type.String(),
    instanceId: Type.String({
      description:
        'The relay instance that holds the connection, or held the last one; empty: never connected.',
    }),
    lastSeen: Type.Integer({ description: 'Epoch milliseconds; 0: never connected.' }),
    connectedSince: Type.Integer({ description: 'Epoch milliseconds; 0: never connected.' }),
    ...world,
    foundryVersion: Type.String({ description: 'Repeats `tabletopVersion`, for programs that read it so.' }),
    customName: Type.Optional(
      Type.String({ description: 'The dashboard’s name, else the module’s. Present only when set.' }),
    ),
    ipAddress: Type.String({ description: 'Address and port of the connection; empty: never connected.' }),
    tokenName: Type.String({ description: 'Name of the connection token; empty: never connected.' }),
    isOnline: Type.Boolean(),
    standbys: Type.Integer({
      description: 'How many further browsers wait to serve the world when this one goes: 5 at most.',
    }),
  },
  { title: 'ClientRecord' },
);

/** The answer of `GET /clients`. */
export const ClientList = Type.Object(
  { clients: Type.Array(ClientRecord), total: Type.Integer() },
  { title: 'ClientList' },
);

/** The part of a world that modules of the same account are told. */
export const ClientSummary = Type.Pick(ClientRecord, [
  'clientId',
  'worldTitle',
  'customName',
  'systemTitle',
  'systemId',
  'isOnline',
]);

/** The metadata that the connection log keeps of each attempt. */
export const loggedMetadata = [
  'worldId',
  'worldTitle',
  'systemId',
  'systemVersion',
  'tabletopVersion',
] as const;

/** A field of a pairing body that only informs: no type is refused, and null counts as left out. */
const informative = (description: string) =>
  Type.Optional(Type.Unknown({ description: `${description} Text; more than 200 characters are cut.` }));

/** A module's description of its world in a body of `POST /auth/pair`. */
export const pairingMetadata = {
  ...(Object.fromEntries(
    Object.entries(WorldMetadata.properties).map(([name, schema]) => [
      name,
      informative((schema as { description?: string }).description ?? ''),
    ]),
  ) as Record<keyof WorldMetadata, ReturnType<typeof informative>>),
  worldId: Type.String({ minLength: 1, maxLength: 200 }),
  foundryVersion: informative('Another name of `tabletopVersion`.'),
  existingClientId: informative('The clientId of an earlier pairing.'),
  serverFingerprint: informative('A random id of the tabletop’s installation.'),
};

export type WorldMetadata = Static<typeof WorldMetadata>;
export type ClientRecord = Static<typeof ClientRecord>;
export type ClientList = Static<typeof ClientList>;
export type LoggedMetadata = Pick<WorldMetadata, (typeof loggedMetadata)[number]>;
export type ClientSummary = Static<typeof ClientSummary>;
