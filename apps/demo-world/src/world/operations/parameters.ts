import { operations, readPayload } from '@tabletop-relay/contract';
import type { OperationName } from '@tabletop-relay/contract';
import type { WireParameters } from '@tabletop-relay/module-sdk';
import { Refusal } from '../refusal.ts';

const operationsByName = new Map(operations.map((operation) => [operation.name, operation]));

/** Whether there is an operation by this wire name. */
export function isOperation(name: string): name is OperationName {
  return operationsByName.has(name);
}

/** Checks parameters against the contract, under callers' names or those of the wire, and fills in defaults. */
export function readParameters<N extends OperationName>(name: N, parameters: unknown): WireParameters<N> {
  const operation = operationsByName.get(name);
  if (!operation) throw new Refusal('not_supported', `This world does not answer ${name}`);
  const reading = readPayload(operation, parameters);
  if (reading.ok) return reading.wire as WireParameters<N>;
  const problems = reading.errors.map(({ field, message }) => `${field} ${message}`);
  throw new Refusal('invalid_parameters', problems.join('; '));
}
