import { Type } from 'typebox';
import type { Scope } from '../../scopes.ts';
import type { Fields } from '../operation-definition.ts';
import { uuid } from '../parameters.ts';
import { scopesForScripts } from '../scripts.ts';

/** Parameters and result fields that the operations on entities share. */

export const target = {
  uuid: Type.Optional(uuid('UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`.')),
  selected: Type.Optional(Type.Boolean({ description: 'Use the tokens that are selected on the canvas.' })),
};

export const targetOrActors = {
  ...target,
  actor: Type.Optional(
    Type.Boolean({ description: 'With `selected`: use the tokens’ actors instead of the tokens.' }),
  ),
};

export const identifiedBy = [['uuid', 'selected']] as const;

export const targetReasons = ['entity_not_found', 'permission_denied', 'nothing_selected'] as const;

export const changeReasons = [
  ...targetReasons,
  'invalid_data',
  'not_supported',
  'already_exists',
  'last_game_master',
  'world_full',
] as const;

/** Kinds of documents that reach beyond the tabletop's own rules, and the scopes that changing them needs besides. */
const scopeOfKind: Readonly<Record<string, Scope>> = {
  Macro: 'macro:write',
  User: 'user:write',
  // A setting can allow scripts, and a region can run one.
  Setting: 'script:execute',
  RegionBehavior: 'script:execute',
};

/** The kinds of documents that a call names, among other parts of its UUID: `User.ben` has `User` and `ben`. */
export function kindsNamed({ uuid, entityType }: Fields): string[] {
  return [...partsOf(uuid), ...(typeof entityType === 'string' ? [entityType] : [])];
}

const partsOf = (uuid: unknown): string[] => (typeof uuid === 'string' ? uuid.split('.') : []);

/** The scopes that a change needs besides `entity:write`, by the kind that it names and the data that it brings. */
export function scopesForKind(fields: Fields): Scope[] {
  const parts = partsOf(fields['uuid']);
  // `Compendium.<package>.<pack>.<id>` does not tell the kind, so it may be a macro.
  const isUntold = parts[0] === 'Compendium' && parts.length === 4;
  const kinds = kindsNamed(fields);
  // The code of a macro is what `macro:write` is for.
  const data =
    isUntold || kinds.includes('Macro') ? { ...(fields['data'] as Fields), command: '' } : fields['data'];
  const needed = [
    ...kinds.flatMap((kind) => (Object.hasOwn(scopeOfKind, kind) ? [scopeOfKind[kind]!] : [])),
    ...scopesForScripts(data),
  ];
  return [...new Set(isUntold ? [...needed, 'macro:write' as const] : needed)];
}
