import type { Scope } from '../scopes.ts';

/** A word of a field's name that tells that its value is run, or names what is: macros, scripts, behaviours of regions. */
const isTelling = (word: string): boolean => word.includes('macro') || telling.has(word);

const telling = new Set(['script', 'scripts', 'behavior', 'behaviors', 'behaviour', 'behaviours']);

/** Types of a region's behaviour that run code. One of these may be given without the fields that carry it. */
const runningTypes = new Set(['executeScript', 'executeMacro']);

/**
 * Whether a document's data carries something that a tabletop would run, at any depth: a region's behaviours in a scene,
 * the macros of an adventure, the script that a system or a module keeps in an effect's or item's fields. Empty values
 * carry nothing, so data that a tabletop gave out passes where it has no script. The data is JSON of limited depth.
 */
export function carriesScript(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  if (Array.isArray(data)) return data.some(carriesScript);
  return Object.entries(data).some(
    ([name, value]) =>
      (!isEmpty(value) && (wordsOf(name).some(isTelling) || isRunning(name, value))) || carriesScript(value),
  );
}

/** The scope that a change needs besides its own where the data that it writes carries a script. */
export const scopesForScripts = (data: unknown): Scope[] => (carriesScript(data) ? ['script:execute'] : []);

function isRunning(name: string, value: unknown): boolean {
  return name.split('.').at(-1) === 'type' && typeof value === 'string' && runningTypes.has(value);
}

/** The words of a name or of a dotted path, in lower case: `system.onUseMacro` is `system`, `on`, `use`, `macro`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === null || value === undefined;
}
