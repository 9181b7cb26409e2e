import { documentKinds } from '../world/store/kinds.ts';
import type { ScriptJob } from '../world/outside.ts';
import { scriptLibrary } from './script-library.ts';

const deedsAtMost = 500;

/** Class names of kinds in tabletops. A document of a scene, such as a token, also has a drawn object. */
const globalOf = (kind: string): string =>
  documentKinds['Scene']?.embeds?.includes(kind) ? `${kind}Document` : kind;

/** Every kind of document: the collection that lists it, what it embeds, and the name of its class. */
const kinds = Object.fromEntries(
  Object.entries(documentKinds).map(([kind, { collection, embeds = [] }]) => [
    kind,
    { collection, embeds, global: globalOf(kind) },
  ]),
);

/** Globals of a script once the world was read. */
const names = Object.values(kinds)
  .map((kind) => kind.global)
  .concat('game canvas ui foundry Hooks CONST Collection fromUuid fromUuidSync'.split(' '))
  .concat('duplicate mergeObject getProperty setProperty randomID'.split(' '));

/** A tabletop writes to the console of its own page, which no caller sees. */
const consoleNames =
  'log info warn error debug table dir trace group groupCollapsed groupEnd time timeEnd timeLog count countReset assert clear';

/**
 * The whole of what the interpreter runs: it makes what scripts find, and calls the script as the body of an asynchronous
 * function. A script may well get round this, and is still in the interpreter then: what comes back is trusted in nothing.
 */
export const program = ({ script, args, world }: ScriptJob): string => `
((parse, stringify, AsyncFunction) => {
  const deeds = [];
  const add = (deed) => {
    if (deeds.length >= ${deedsAtMost}) throw new Error('A script may make ${deedsAtMost} changes');
    deeds[deeds.length] = deed;
  };
  const run = (code, given) => AsyncFunction('args', code)(given);
  const names = ${JSON.stringify(names)};
  // A world's data is large and many scripts need none of it, so it is read at first use.
  const load = () => {
    for (const name of names) delete globalThis[name];
    (${scriptLibrary})({ ...parse(${JSON.stringify(world)}), kinds: ${JSON.stringify(kinds)}, run }, add);
  };
  for (const name of names)
    Object.defineProperty(globalThis, name, { configurable: true, get: () => (load(), globalThis[name]) });
  globalThis.console = {};
  for (const name of '${consoleNames}'.split(' ')) globalThis.console[name] = () => {};
  const report = (value) => {
    const text = stringify(value === undefined ? null : value);
    if (text === undefined) throw new TypeError('The script returned what is not JSON');
    return '{"value":' + text + ',"deeds":' + stringify(deeds) + '}';
  };
  return run(${JSON.stringify(script)}, parse(${JSON.stringify(args)})).then(report);
})(JSON.parse, JSON.stringify, (async () => {}).constructor);
`;
