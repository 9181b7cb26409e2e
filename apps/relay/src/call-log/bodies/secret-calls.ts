import { kindsNamed } from '@tabletop-relay/contract';
import type { Operation, ParameterOptions } from '@tabletop-relay/contract';

/** A user has a password, and a setting may be any secret under any name. */
const secretKinds: readonly string[] = ['user', 'setting'];

/** Whether a call names a document of a kind of which nothing is kept. `fields` are undefined where they were not readable. */
export function isOfSecretKind(fields: object | undefined): boolean {
  return kindsNamed({ ...fields }).some((kind) => secretKinds.includes(kind.toLowerCase()));
}

/** Whether nothing may be kept of what a world answers to a call. */
export function answersSecret(operation: Operation, fields: object | undefined): boolean {
  return operation.secretAnswer === true || isOfSecretKind(fields);
}

/** Operations whose refusals are not kept: their words may repeat a secret that was given. */
export function refusesSecret(operation: Operation, fields: object | undefined): boolean {
  const takesSecret = Object.values(operation.parameters).some(
    (schema) => (schema as ParameterOptions).unlogged === 'secret',
  );
  return takesSecret || answersSecret(operation, fields);
}
