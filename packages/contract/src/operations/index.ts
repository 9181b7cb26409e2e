import type { Static, TProperties } from 'typebox';
import type { OperationDefinition, OperationGroup, Values } from './operation-definition.ts';
import { listOperations } from './operation.ts';
import { canvas } from './canvas/canvas.ts';
import { chat } from './chat/chat.ts';
import { effects } from './effects/effects.ts';
import { encounters } from './encounters/encounters.ts';
import { entities } from './entities/entities.ts';
import { files } from './files/files.ts';
import { macros } from './macros/macros.ts';
import { playlists } from './playlists/playlists.ts';
import { rolls } from './rolls/rolls.ts';
import { scenes } from './scenes/scenes.ts';
import { sheets } from './sheets/sheets.ts';
import { structure } from './structure/structure.ts';
import { sys5e } from './sys5e/sys5e.ts';
import { users } from './users/users.ts';
import { utility } from './utility/utility.ts';

/** Every group of operations, in the order of the reference. Adding an operation is one literal in one of them. */
export const operationGroups = {
  encounters,
  sys5e,
  utility,
  entities,
  structure,
  users,
  effects,
  rolls,
  chat,
  macros,
  files,
  sheets,
  scenes,
  canvas,
  playlists,
} as const satisfies Record<string, OperationGroup>;

type Definitions = UnionToIntersection<
  {
    [G in keyof typeof operationGroups]: (typeof operationGroups)[G]['definitions'];
  }[keyof typeof operationGroups]
>;

/** The wire name of an operation. */
export type OperationName = keyof Definitions;

/** The parameters that a caller gives. `clientId` and `userId` may stand beside them. */
export type OperationParameters<N extends OperationName> = ParametersOf<Definitions[N]>;

/** The fields that the world answers beside `type` and `requestId`. */
export type OperationResult<N extends OperationName> = ResultOf<Definitions[N]>;

/** The parameters as the module reads them in a command's frame, by their names on the wire. */
export type OperationWire<N extends OperationName> = WireOf<Definitions[N]>;

export type ParametersOf<D> = D extends { parameters: infer P extends TProperties } ? Values<P> : never;
export type WireOf<D> = D extends { parameters: infer P extends TProperties }
  ? { [K in keyof Values<P> as WireName<P, K>]: Values<P>[K] }
  : never;
export type ResultOf<D> = D extends OperationDefinition<infer _, infer R> ? Static<R> : never;

/** All operations with what follows from their definitions. */
export const operations = Object.values<OperationGroup>(operationGroups).flatMap(listOperations);

type WireName<P, K extends keyof P> = P[K] extends { wireName: infer W extends string } ? W : K;

type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void
  ? I
  : never;
