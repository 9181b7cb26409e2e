import { IsOptional, Type } from 'typebox';
import type { TObject, TSchema } from 'typebox';
import type {
  Method,
  OperationDefinition,
  OperationGroup,
  ParameterOptions,
} from './operation-definition.ts';
import { pathNames } from '../path.ts';

/** A part of the request that a parameter may come from. */
export type Place = 'path' | 'query' | 'body';

/** A definition with all that follows from its group and its name. */
export interface Operation extends OperationDefinition {
  /** The name on the wire: `type` of the command, and `<name>-result` of its reply. */
  name: string;
  group: string;
  /** Those of its group. */
  systems?: readonly string[];
  method: Method;
  path: `/${string}`;
  /** The SDK's method, `<group>.<sdkName>`. */
  sdkName: string;
  timeoutMs: number;
}

export const defaultTimeoutMs = 10_000;

/** Derives a group's operations. Throws where a definition contradicts itself in a way that its type cannot tell. */
export function listOperations(group: OperationGroup): Operation[] {
  return Object.entries(group.definitions).map(([name, definition]) => {
    const operation: Operation = {
      timeoutMs: defaultTimeoutMs,
      method: definition.kind === 'query' ? 'GET' : 'POST',
      ...definition,
      name,
      group: group.name,
      ...(group.systems ? { systems: group.systems } : {}),
      path: definition.path ?? `${group.prefix}/${name}`,
      sdkName: camelCase(name),
    };
    const fault = faultOf(operation);
    if (fault) throw new Error(`The operation ${name} ${fault}`);
    return operation;
  });
}

/** The whole of what a world answers: the envelope and the operation's own fields, with room for more. */
export function resultSchema(operation: Operation): TObject {
  return Type.Object({
    type: Type.Literal(`${operation.name}-result`),
    requestId: Type.String({ description: '`<operation>_<epoch ms>`.' }),
    ...operation.result.properties,
  });
}

/** The parameters that the path names, in its order: `uuid` of `/macro/:uuid/execute`. */
export function pathParameters({ path }: Pick<Operation, 'path'>): string[] {
  return pathNames(path);
}

/** The places that a parameter is documented with. */
export function placesOf(
  operation: Pick<Operation, 'method' | 'path' | 'parameters'>,
  parameter: string,
): readonly Place[] {
  if (pathParameters(operation).includes(parameter)) return ['path'];
  const { place } = (operation.parameters[parameter] ?? {}) as ParameterOptions;
  if (place) return [place];
  return operation.method === 'GET' ? ['query'] : ['query', 'body'];
}

/** The name that a parameter has in the command's frame. */
export function wireNameOf(parameter: string, schema: TSchema): string {
  return (schema as ParameterOptions).wireName ?? parameter;
}

/**
 * Whether a parameter that the operation does not know is refused, whatever its name: where a call with one parameter less does
 * more, a misspelt name may not pass for one that was left out.
 */
export function refusesUnknown({ method, lessIsMore }: Pick<Operation, 'method' | 'lessIsMore'>): boolean {
  return method === 'DELETE' || lessIsMore === true;
}

function faultOf(operation: Operation): string | undefined {
  const { kind, effect, method, parameters, bodyBytes } = operation;
  if (method === 'GET' && kind === 'command') return 'changes the world, so its method cannot be GET';
  if (kind === 'command' && !effect) return 'is a command, so it needs an effect';
  if (kind === 'query' && effect) return 'is a query, so it has no effect';
  for (const name of pathParameters(operation)) {
    const schema = parameters[name];
    if (!schema) return `does not declare ${name}, a parameter of its path`;
    if (IsOptional(schema)) return `has ${name} in its path, so it cannot be optional`;
    if ((schema as ParameterOptions).place) return `has ${name} in its path, so it comes from nowhere else`;
  }
  if (!bodyBytes) return undefined;
  if (method === 'GET') return 'takes a body, so its method cannot be GET';
  if ((operation.maxBodyBytes ?? 0) < Math.ceil(bodyBytes.maxBytes / 3) * 4)
    return 'takes raw bodies, so its maxBodyBytes must leave room for them as base64';
  const inBodyAlone = Object.keys(parameters).find(
    (name) =>
      name !== bodyBytes.parameter &&
      !IsOptional(parameters[name]) &&
      placesOf(operation, name).every((place) => place === 'body'),
  );
  return inBodyAlone && `takes a raw body, so ${inBodyAlone} must be allowed in the query`;
}

function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
