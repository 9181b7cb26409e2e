import { operations, readPayload } from '@tabletop-relay/contract';
import type { OperationName } from '@tabletop-relay/contract';
import type { WireParameters } from '@tabletop-relay/module-sdk';
import type { Document } from '../document.ts';
import { Refusal } from '../refusal.ts';
import { isDocument } from '../store/merge.ts';

const operationsByName = new Map(operations.map((operation) => [operation.name, operation]));

/** Whether there is an operation by this wire name. */
export function isOperation(name: string): name is OperationName {
  return operationsByName.has(name);
}

/**
 * Checks parameters against the contract, under callers' names or those of the wire, and fills in defaults. The kind
 * that the relay adds for what lies on scenes follows from the rest, so it is not read. Where the frame tells the caller's scopes (`_scopes`), the world checks by itself those that a change of a macro needs.
 */
export function readParameters<N extends OperationName>(name: N, parameters: unknown): WireParameters<N> {
  const operation = operationsByName.get(name);
  if (!operation) throw new Refusal('not_supported', `This world does not answer ${name}`);
  const { _scopes: scopes, className: _kind, ...given }: Document = isDocument(parameters) ? parameters : {};
  const reading = readPayload(operation, isDocument(parameters) ? given : parameters);
  if (!reading.ok) {
    const problems = reading.errors.map(({ field, message }) => `${field} ${message}`);
    throw new Refusal('invalid_parameters', problems.join('; '));
  }
  const needed = operation.scopesFor?.(reading.wire) ?? [];
  const missing = Array.isArray(scopes) ? needed.find((scope) => !scopes.includes(scope)) : undefined;
  if (missing) throw new Refusal('permission_denied', `This needs the scope ${missing}`);
  return reading.wire as WireParameters<N>;
}
