import {
  callFormOf,
  canStandInPath,
  commandLine,
  operationRequest,
  pathParameters,
} from '@tabletop-relay/contract';
import type { Operation, OperationRequest, ParameterOptions } from '@tabletop-relay/contract';
import type { CodeCall } from './code.ts';

/** One call as it goes over HTTP. */
export interface ApiCall {
  operation: Pick<
    Operation,
    'name' | 'group' | 'sdkName' | 'kind' | 'effect' | 'method' | 'path' | 'parameters' | 'resultBytes'
  >;
  clientId: string;
  /** By name; what is left out is not there. */
  parameters: Readonly<Record<string, unknown>>;
  userId: string | undefined;
}

/** The request of a call. While a part of the path is not filled in, its name in angle brackets stands there. */
export function requestOf({ operation, clientId, parameters, userId }: ApiCall): OperationRequest {
  const open = pathParameters(operation).filter((name) => !canStandInPath(parameters[name]));
  const filled = { ...parameters, ...Object.fromEntries(open.map((name) => [name, `<${name}>`])) };
  return operationRequest({ form: callFormOf(operation), parameters: filled, clientId, userId });
}

/** A call as the generators of code take it. */
export function codeOf(call: ApiCall): CodeCall {
  const { operation, clientId, parameters, userId } = call;
  const { method, path, body } = requestOf(call);
  return {
    method,
    path,
    body,
    answers: operation.resultBytes ? 'file' : 'json',
    credential: 'apiKey',
    sdk: { method: `${operation.group}.${operation.sdkName}`, clientId, parameters, userId },
    command: commandLine(operation, { parameters: withoutSecrets(call), clientId, userId }),
  };
}

/** The command line takes no secret itself, but the name of its file; `@-` is standard input. */
function withoutSecrets({ operation, parameters }: ApiCall): Readonly<Record<string, unknown>> {
  const isSecret = (name: string) => {
    const { unlogged } = (operation.parameters[name] ?? {}) as ParameterOptions;
    return unlogged === 'secret';
  };
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, isSecret(name) ? '@-' : value]),
  );
}
