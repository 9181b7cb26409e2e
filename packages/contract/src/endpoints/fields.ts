import { Type } from 'typebox';
import type { TProperties, TSchema } from 'typebox';
import { scopeNames } from '../scopes.ts';

/** A body or a query: unknown fields are refused. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** A body that changes something: any of the fields, and at least one. */
export const changesOf = <P extends TProperties>(properties: P) =>
  Type.Partial(closed(properties), { additionalProperties: false, minProperties: 1 });

export const nullable = <T extends TSchema>(schema: T, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);

/** The answer of an endpoint that has nothing to tell but success. */
export const nothing = Type.Object({});

export const id = Type.String({ minLength: 1, maxLength: 64 });

/** ISO 8601. */
export const time = Type.String({ format: 'date-time' });

export const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Without line breaks, control or invisible characters.',
});

export const scopeList = Type.Array(Type.Enum(scopeNames), {
  minItems: 1,
  maxItems: 50,
  description: 'What the key may do. One that acts as a user of a world holds none that goes beyond a user.',
});

export const clientIdList = Type.Array(id, { maxItems: 500 });

export const monthlyLimit = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Calls per calendar month (UTC).',
});

/** The worlds of a key. An empty list could be read as no world and as every world, so it is refused. */
export const keyClients = nullable(Type.Array(id, { minItems: 1, maxItems: 500 }));

export const pageQuery = closed({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(id),
});

/** One page of a list, newest first; `nextCursor` is null on the last. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), nextCursor: nullable(Type.String()) });
