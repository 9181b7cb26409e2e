import { operations } from '../src/operations/index.ts';
import { readParameters } from '../src/parameters/read-parameters.ts';
import type { CallSource } from '../src/parameters/read-parameters.ts';

export const operationOf = (name: string) => operations.find((operation) => operation.name === name)!;

/** What an operation sends to the world. Throws where the call is refused. */
export function wireOf(name: string, source: CallSource): Record<string, unknown> {
  const reading = readParameters(operationOf(name), source);
  if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
  return reading.wire;
}

export function errorsOf(name: string, source: CallSource) {
  const reading = readParameters(operationOf(name), source);
  return reading.ok ? [] : reading.errors;
}

export const messageOf = (name: string, source: CallSource, field: string) =>
  errorsOf(name, source).find((error) => error.field === field)?.message;
