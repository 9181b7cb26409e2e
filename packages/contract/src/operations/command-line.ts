import type { BodyBytes, Fields, ParameterOptions } from './operation-definition.ts';
import type { Operation } from './operation.ts';

/** The name of a parameter as a flag of the command line, without its dashes: `actor-uuid` of `actorUuid`. */
export const flagOf = (parameter: string): string =>
  parameter
    .replaceAll(/(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `-${letter}`)
    .toLowerCase();

/** What stands behind `tabletop` for a call: `sys5e skill-check --actor-uuid Actor.mira --skill prc`. */
export function commandLine(
  operation: Pick<Operation, 'group' | 'name' | 'parameters' | 'effect'> & { bodyBytes?: BodyBytes },
  { parameters, clientId, userId }: { parameters: Fields; clientId?: string; userId?: string | undefined },
): string[] {
  const flags = Object.entries(parameters).flatMap(([name, value]) =>
    argumentsOf(flagOf(name), value, operation.parameters[name]),
  );
  return [
    operation.group,
    operation.name,
    ...flags,
    ...(clientId ? ['--world', clientId] : []),
    ...(userId ? ['--as', userId] : []),
    ...(operation.effect === 'destroys' ? ['--yes'] : []),
  ];
}

function argumentsOf(
  flag: string,
  value: unknown,
  schema: (ParameterOptions & Listed) | undefined,
): string[] {
  if (typeof value === 'boolean') return [`--${value ? '' : 'no-'}${flag}`];
  if (Array.isArray(value) && isListOfTexts(schema))
    return value.flatMap((one) => oneArgument(flag, String(one)));
  return oneArgument(flag, typeof value === 'string' ? value : JSON.stringify(value));
}

interface Listed {
  type?: string;
  items?: { type?: string; enum?: readonly unknown[] };
}

const isListOfTexts = (schema: Listed | undefined): boolean =>
  schema?.type === 'array' && (schema.items?.type === 'string' || schema.items?.enum !== undefined);

/** A value that begins with a dash would pass for a flag of its own. */
const oneArgument = (flag: string, value: string): string[] =>
  value.startsWith('-') ? [`--${flag}=${value}`] : [`--${flag}`, value];
