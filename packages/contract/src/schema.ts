import type { TSchema } from 'typebox';

/** The JSON Schema of a parameter without the annotations of the relay. */
export function plainSchema(schema: TSchema): Record<string, unknown> {
  const {
    place: _place,
    wireName: _wireName,
    unlogged: _unlogged,
    aliases: _aliases,
    byCommas: _byCommas,
    cut: _cut,
    ...rest
  } = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  return rest;
}
