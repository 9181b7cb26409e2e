/** Symbols, because strings are the tabletop's: the data as stored, and what is made of them. */
export const source = Symbol('source');
export const inner = Symbol('inner');
/** What a class does beside the common: before its creation, with changes before they are compared, before and after a change. */
export const preCreate = Symbol('preCreate');
export const migrate = Symbol('migrate');
export const beforeChange = Symbol('beforeChange');
export const onChange = Symbol('onChange');
export const afterHook = Symbol('afterHook');

/** What the page's documents share: filled when the world arrives. */
export const world = {
  connection: undefined,
  user: undefined,
  classes: {},
  collections: {},
  hooks: undefined,
  packs: new Map(),
};
