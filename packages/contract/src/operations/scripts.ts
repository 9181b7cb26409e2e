import type { Scope } from '../scopes.ts';

/**
 * A word of a field's name that tells that its value is run, or names what is: macros, scripts, behaviours of regions, and what
 * a module calls `runcode`.
 */
const telling =
  /macro|javascript|^(?:run|exec|execute|eval|js)?scripts?$|^(?:run|exec|execute|eval|js)(?:codes?|commands?)$|^eval$|^behaviou?rs?$/;

/** Names, as words, whose texts are run: `code`, `onHitCode`, but not the `colorCode` of a token. */
const runText =
  /^(?:(?:on|pre|post|before|after|run|exec|execute|eval|custom|js)(?: .*)? )?(?:codes?|commands?)$/;

/**
 * In the value of an effect's change, a setting that names what runs: `turn=end, macro=Wave`. It looks back from each `=`, because
 * to look ahead from each `macro` of a text of 1 MiB takes minutes.
 */
const namesMacro = /=(?<=(?:macro|script)\w*\s*=)/i;

/** A name of none of these is not taken apart. */
const mayTell = /macro|script|behavio|eval|code|command|type|key/i;

/** Types of a region's behaviour that run code. One of these may be given without the fields that carry it. */
const runningTypes = new Set(['executeScript', 'executeMacro']);

/**
 * Whether a document's data carries something that a tabletop would run, at any depth: a region's behaviours in a scene,
 * the macros of an adventure, the script that a system or a module keeps in an effect's or item's fields, the change of an
 * effect whose key names a macro. Empty values carry nothing, so data that a tabletop gave out passes where it has no script.
 * The data is JSON of limited depth.
 */
export function carriesScript(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  if (Array.isArray(data)) return data.some(carriesScript);
  return (
    runsByKey(data as Fields) ||
    Object.entries(data).some(
      ([name, value]) => isScript(name, value) || runsByPath(name, value) || carriesScript(value),
    )
  );
}

/** The scope that a change needs besides its own where the data that it writes carries a script. */
export const scopesForScripts = (data: unknown): Scope[] => (carriesScript(data) ? ['script:execute'] : []);

type Fields = Record<string, unknown>;

/** A name may be a dotted path, such as `flags.module.onUseMacro`: each part of it counts. */
function isScript(path: string, value: unknown): boolean {
  const parts = path.split('.');
  const names = parts.filter((part) => mayTell.test(part)).map(wordsOf);
  if (names.length === 0 || isEmpty(value)) return false;
  if (names.flat().some(isTelling)) return true;
  if (names.some((words) => runText.test(words.join(' '))) && hasText(value)) return true;
  if (typeof value !== 'string') return false;
  const name = wordsOf(parts.at(-1) ?? '').join(' ');
  return (name === 'type' && runningTypes.has(value)) || (name === 'key' && namesScript(value));
}

/** A change of an effect: `key` is the path of the field that gets the value, which may be one that a module runs. */
function runsByKey({ key, value }: Fields): boolean {
  if (typeof key !== 'string') return false;
  return isScript(key, value) || (typeof value === 'string' && namesMacro.test(value));
}

/** Whether a change of an effect runs code, where the change's fields stand by their paths: `changes.0.value`. */
function runsByPath(path: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const field = /(?:^|\.)changes\.\d+\.(key|value)$/.exec(path)?.[1];
  return field === 'key' ? isScript(value, value) : field === 'value' && namesMacro.test(value);
}

const isTelling = (word: string): boolean => telling.test(word);

const namesScript = (path: string): boolean => wordsOf(path).some(isTelling);

/** The words of a name or of a path, in lower case: `onUseMacro` is `on`, `use`, `macro`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
}

const isEmpty = ofEachOnce((value): boolean => {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === '' || value === null || value === undefined;
});

/** Whether there is a text in it, at any depth: a number or a mark is no code. */
const hasText = ofEachOnce((value): boolean => {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasText);
  return typeof value === 'string' && value !== '';
});

/** Judges each object once: it is asked again for each name that it stands below, and data of 1 MiB may stand below thirty. */
function ofEachOnce(judge: (value: unknown) => boolean): (value: unknown) => boolean {
  const judged = new WeakMap<object, boolean>();
  return (value) => {
    if (typeof value !== 'object' || value === null) return judge(value);
    let verdict = judged.get(value);
    if (verdict === undefined) judged.set(value, (verdict = judge(value)));
    return verdict;
  };
}
