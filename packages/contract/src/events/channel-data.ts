import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import type { ChannelDefinition, ChannelFilter } from './channel-definition.ts';
import { channels } from './channels.ts';
import type { Channel } from './channels.ts';
import type { Fields, FieldType } from './fields.ts';

const schemas = {
  text: Type.String(),
  texts: Type.Array(Type.String()),
  number: Type.Number(),
  flag: Type.Boolean(),
  list: Type.Array(Type.Unknown()),
  object: Type.Record(Type.String(), Type.Unknown()),
  json: Type.Unknown(),
} as const satisfies Partial<Record<FieldType, TSchema>>;

/** The JSON schema of an event's fields; more may stand beside them. */
export function fieldsSchema(fields: Fields) {
  const properties = Object.entries(fields).map(([name, type]) => [name, schemaOf(type)]);
  return Type.Object(Object.fromEntries(properties) as Record<string, TSchema>, {
    additionalProperties: true,
  });
}

function schemaOf(type: FieldType): TSchema {
  const name = type.replace('?', '') as keyof typeof schemas;
  if (!type.endsWith('?')) return schemas[name];
  return Type.Optional(Type.Union([schemas[name], Type.Null()]));
}

const ofTypes = {
  text: Type.String({ minLength: 1 }),
  names: Type.String({ minLength: 1 }),
  integer: Type.Integer(),
  flag: Type.Boolean(),
} as const satisfies Record<ChannelFilter['type'], TSchema>;

/** The JSON schema of each filter of a channel, as a query's parameter. */
export function filterSchemas(filters: ChannelDefinition['filters']): Record<string, TSchema> {
  const each = Object.entries(filters).map(([name, { type, description }]) => [
    name,
    Type.Optional({ ...ofTypes[type], description }),
  ]);
  return Object.fromEntries(each) as Record<string, TSchema>;
}

/** The schemas of what modules send, by channel. */
export const channelData = Object.fromEntries(
  Object.entries(channels).map(([name, { data }]) => [name, fieldsSchema(data)]),
) as Record<Channel, ReturnType<typeof fieldsSchema>>;
