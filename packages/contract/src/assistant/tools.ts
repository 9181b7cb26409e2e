import { IsOptional } from 'typebox';
import type { TSchema } from 'typebox';
import type { Operation } from '../operations/operation.ts';
import { alternatives } from '../operations/operation-definition.ts';
import { plainSchema } from '../schema.ts';

/** A tool as assistants are told of it, by the Model Context Protocol. */
export interface AssistantTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, object>; required?: string[] };
  /** A hint that has the value that the protocol gives it by itself is left out, for each costs tokens. */
  annotations: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
}

/** What a caller has fixed already, so that its tools do not ask for it. */
export interface FixedArguments {
  world: boolean;
  user: boolean;
}

/** The tool's name of an operation: some assistants take letters, digits and `_` alone. */
export const toolNameOf = (operation: string): string => operation.replaceAll('-', '_');

export const worldArgument = { type: 'string', description: 'Its id: see `worlds`.' };

const userArgument = {
  type: 'string',
  description: 'Act as this user: id or name.',
};

export const onlyArgument = {
  type: 'array',
  items: { type: 'string' },
  description: 'Answer these dotted paths alone.',
};

/** The arguments of an operation by their names, with those that every operation takes. */
export function argumentsOf(operation: Operation, fixed: FixedArguments): AssistantTool['inputSchema'] {
  const own = Object.entries(operation.parameters);
  const required = own.filter(([, schema]) => !IsOptional(schema)).map(([name]) => name);
  return {
    type: 'object',
    properties: {
      ...(fixed.world ? {} : { world: worldArgument }),
      ...Object.fromEntries(own.map(([name, schema]: [string, TSchema]) => [name, shortSchema(schema)])),
      ...(fixed.user ? {} : { userId: userArgument }),
      ...(operation.kind === 'query' ? { only: onlyArgument } : {}),
    },
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Without the lengths of texts: they cost a tenth of the whole, and who meets one is told. */
const shortSchema = (schema: TSchema): object =>
  JSON.parse(JSON.stringify(plainSchema(schema)), function (this: unknown, name: string, value: unknown) {
    const isLength = (name === 'minLength' || name === 'maxLength') && typeof value === 'number';
    return isLength ? undefined : value;
  }) as object;

/** What an operation does, and what must be given to it that a schema of arguments cannot say to every assistant. */
export function describeOperation({ summary, description, identifiedBy, needsOneOf }: Operation): string {
  const groups = (identifiedBy ?? []).map((group) => `Give one of ${alternatives(group)}.`);
  const oneOf = needsOneOf ? [`Give at least one of ${alternatives(needsOneOf)}.`] : [];
  return [`${summary}.`, description, ...groups, ...oneOf].filter(Boolean).join(' ');
}

/** The tool of an operation. Its hints follow from the operation's kind, effect and method. */
export function toolOf(operation: Operation, fixed: FixedArguments): AssistantTool {
  const { name, summary, kind, effect, method } = operation;
  return {
    name: toolNameOf(name),
    title: summary,
    description: describeOperation(operation),
    inputSchema: argumentsOf(operation, fixed),
    annotations: {
      ...(kind === 'query' ? { readOnlyHint: true } : { destructiveHint: effect === 'destroys' }),
      ...(method === 'PUT' || method === 'DELETE' ? { idempotentHint: true } : {}),
    },
  };
}
