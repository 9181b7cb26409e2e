/**
 * What programs of another relay of this kind write, and what it means here. Aliases are read at the border and answered
 * exactly as the real name. They stand in no list: only the page that tells how to come over has them.
 */

/** The beginnings of paths. */
export const pathAliases = [['/dnd5e/', '/sys5e/']] as const;

export const headerAliases = [['x-foundry-url', 'x-tabletop-url']] as const;

/** Scopes. One that opened much there is several here, so that a person who approves it sees what it does. */
export const scopeAliases = {
  dnd5e: ['sys5e:read', 'sys5e:write', 'roll:execute'],
  'world:info': ['world:read'],
  search: ['search:read'],
  'macro:list': ['macro:read'],
  'execute-js': ['script:execute'],
} as const satisfies Record<string, readonly string[]>;

/** A list of scopes without aliases, each once. A list that names none stays as it is, for the schema to judge. */
export function expandScopes(names: readonly unknown[]): readonly unknown[] {
  if (!names.some(isScopeAlias)) return names;
  return [
    ...new Set(
      names.flatMap((name): readonly unknown[] => (isScopeAlias(name) ? scopeAliases[name] : [name])),
    ),
  ];
}

/** The granted scopes, and each alias of those that were asked for whose scopes were all granted. */
export function scopesAsAsked(granted: readonly string[], asked: readonly string[]): string[] {
  const isGranted = (name: string) =>
    isScopeAlias(name) && scopeAliases[name].every((scope) => granted.includes(scope));
  return [...new Set([...granted, ...asked.filter(isGranted)])];
}

const isScopeAlias = (name: unknown): name is keyof typeof scopeAliases =>
  typeof name === 'string' && Object.hasOwn(scopeAliases, name);

const userAliases = { scopedUserIds: 'actingUserIds', scopedUserId: 'actingUserId' } as const;
const keyAliases = { scopedClientIds: 'clientIds', scopedClientId: 'clientIds', ...userAliases } as const;

/** Fields of the bodies of these endpoints. */
export const fieldAliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createApiKey: keyAliases,
  updateApiKey: keyAliases,
  createKeyRequest: userAliases,
  approveKeyRequest: userAliases,
  updateConnectionToken: userAliases,
};

/** Fields that are lists: an alias of one that brings no list stands for a list of one. */
const listFields = new Set(['clientIds']);

/** A body by the real names of its fields. An alias beside its field stays, for the schema to refuse. */
export function expandFields(
  endpoint: string,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = { ...body };
  for (const [alias, name] of Object.entries(fieldAliases[endpoint] ?? {})) {
    if (!Object.hasOwn(fields, alias) || Object.hasOwn(fields, name)) continue;
    const value = fields[alias];
    fields[name] = listFields.has(name) && value !== null && !Array.isArray(value) ? [value] : value;
    delete fields[alias];
  }
  return fields;
}

/** The path of a request by its real name. */
export function expandPath(path: string): string {
  for (const [theirs, ours] of pathAliases)
    if (path.startsWith(theirs)) return ours + path.slice(theirs.length);
  return path;
}
