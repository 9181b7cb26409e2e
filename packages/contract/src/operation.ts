import { Type } from 'typebox';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { Scope } from './scopes.ts';

/** A query reads; a command changes the world. Queries may be repeated after an unknown outcome. */
export type OperationKind = 'query' | 'command';

/** Where a caller may put a parameter. */
export type Place = 'query' | 'body';

/**
 * What a parameter's schema may carry beside JSON Schema's keywords. Its `default` is sent to the world when the
 * caller gives no value.
 * - `place`: the only place it may come from; by default a GET reads the query and a POST both.
 * - `wireName`: the name that modules read; callers may write either name.
 */
export interface ParameterOptions {
  place?: Place;
  wireName?: string;
}

/** One operation as it is written down: everything that is known of it, and nothing that follows from it. */
export interface OperationDefinition<
  Input extends TProperties = TProperties,
  Output extends TObject = TObject,
> {
  kind: OperationKind;
  /** One line in the imperative, without a full stop. */
  summary: string;
  description?: string;
  scope: Scope;
  /** Only where the published path is not `<prefix>/<name>`. */
  path?: `/${string}`;
  /** How long the caller waits for the world's answer; 10 s where it is not given. */
  timeoutMs?: number;
  parameters: Input;
  /**
   * Groups of parameters of which one identifies a thing: none is refused, and of several the first of the
   * list counts and the others are not sent.
   */
  identifiedBy?: readonly (readonly (keyof Input & string)[])[];
  /** Parameters of which the first that is given counts, and none is fine. */
  prefers?: readonly (readonly (keyof Input & string)[])[];
  /** Parameters of which one at least must be given; several may be. */
  needsOneOf?: readonly (keyof Input & string)[];
  /** The fields of the result beside `type` and `requestId`. */
  result: Output;
  /**
   * Codes that a world may refuse this operation with (the `reason` of `operation_failed`), beside
   * `invalid_parameters` and `user_not_found`, which are common to all.
   */
  reasons?: readonly string[];
  /** A call that the demo world answers and what it answers, for the reference and for the tests. */
  example: { parameters: Values<Input>; result: Static<Output> };
}

/** The values that fit a set of parameters; TypeBox calls those of an empty set `object`, which forbids nothing. */
export type Values<Input extends TProperties> = {
  -readonly [K in keyof Static<TObject<Input>>]: Static<TObject<Input>>[K];
};

export type OperationDefinitions = Record<string, OperationDefinition>;

/** A set of operations under one path prefix, with its place in the reference and in the SDK. */
export interface OperationGroup<D extends OperationDefinitions = OperationDefinitions> {
  /** The SDK's property and the reference's tag. */
  name: string;
  title: string;
  prefix: '' | `/${string}`;
  definitions: D;
}

/** A definition with all that follows from its group and its name. */
export interface Operation extends OperationDefinition {
  /** The name on the wire: `type` of the command, and `<name>-result` of its reply. */
  name: string;
  group: string;
  method: 'GET' | 'POST';
  path: `/${string}`;
  /** The SDK's method, `<group>.<sdkName>`. */
  sdkName: string;
  timeoutMs: number;
}

export const defaultTimeoutMs = 10_000;

/** Writes down an operation that only reads. */
export function query<const I extends TProperties, O extends TObject>(
  definition: Omit<OperationDefinition<I, O>, 'kind'>,
): OperationDefinition<I, O> & { kind: 'query' } {
  return { kind: 'query', ...definition };
}

/** Writes down an operation that changes the world. */
export function command<const I extends TProperties, O extends TObject>(
  definition: Omit<OperationDefinition<I, O>, 'kind'>,
): OperationDefinition<I, O> & { kind: 'command' } {
  return { kind: 'command', ...definition };
}

/** Derives a group's operations: path, method, wire name and SDK name. */
export function listOperations(group: OperationGroup): Operation[] {
  return Object.entries(group.definitions).map(([name, definition]) => ({
    timeoutMs: defaultTimeoutMs,
    ...definition,
    name,
    group: group.name,
    method: definition.kind === 'query' ? 'GET' : 'POST',
    path: definition.path ?? `${group.prefix}/${name}`,
    sdkName: camelCase(name),
  }));
}

/** The whole of what a world answers: the envelope and the operation's own fields, with room for more. */
export function resultSchema(operation: Operation): TObject {
  return Type.Object({
    type: Type.Literal(`${operation.name}-result`),
    requestId: Type.String({ description: '`<operation>_<epoch ms>`.' }),
    ...operation.result.properties,
  });
}

/** The places that a parameter of an operation may come from. */
export function placesOf(operation: Operation, schema: TSchema): readonly Place[] {
  const { place } = schema as ParameterOptions;
  if (place) return [place];
  return operation.method === 'GET' ? ['query'] : ['query', 'body'];
}

/** The name that a parameter has in the command's frame. */
export function wireNameOf(parameter: string, schema: TSchema): string {
  return (schema as ParameterOptions).wireName ?? parameter;
}

function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
