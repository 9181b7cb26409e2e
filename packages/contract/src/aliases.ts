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
  const isAlias = (name: unknown): name is keyof typeof scopeAliases =>
    typeof name === 'string' && Object.hasOwn(scopeAliases, name);
  if (!names.some(isAlias)) return names;
  return [
    ...new Set(names.flatMap((name): readonly unknown[] => (isAlias(name) ? scopeAliases[name] : [name]))),
  ];
}

/** The path of a request by its real name. */
export function expandPath(path: string): string {
  for (const [theirs, ours] of pathAliases)
    if (path.startsWith(theirs)) return ours + path.slice(theirs.length);
  return path;
}
