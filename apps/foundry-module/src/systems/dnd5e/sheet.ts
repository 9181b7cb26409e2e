import type { Actor, Data, Effect, Item, Roll } from '../../tabletop/documents.ts';

export type Rolled = Roll | Roll[] | null | undefined;

/** What an actor of dnd5e can do; forms and names by release are those of its source. */
export interface Sheet extends Actor {
  readonly concentration: { effects: ReadonlySet<Effect>; items: ReadonlySet<Item> };
  endConcentration(): Promise<Effect[] | undefined>;
  rollSkill(...given: unknown[]): Promise<Rolled>;
  rollAbilityTest(...given: unknown[]): Promise<Rolled>;
  rollAbilityCheck(...given: unknown[]): Promise<Rolled>;
  rollAbilitySave(...given: unknown[]): Promise<Rolled>;
  rollSavingThrow(...given: unknown[]): Promise<Rolled>;
  rollDeathSave(...given: unknown[]): Promise<Rolled>;
  rollConcentration(...given: unknown[]): Promise<Rolled>;
  shortRest(config: object): Promise<RestResult | undefined>;
  longRest(config: object): Promise<RestResult | undefined>;
}

export interface RestResult {
  dhp?: number;
  dhd?: number;
  newDay?: boolean;
  longRest?: boolean;
  updateData?: Data;
  updateItems?: unknown[];
  rolls?: Roll[];
  deltas?: { hitPoints?: number; hitDice?: number };
  clone?: { toObject(): Data };
}

/** A field of the system's data that not every type or release has; undefined where there is none. Data models are looked at, never versions. */
export function fieldOf(of: { system: Data }, path: string): unknown {
  let at: unknown = of.system;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !(key in at)) return undefined;
    at = (at as Data)[key];
  }
  return at;
}

export const numberOf = (of: { system: Data }, path: string): number | undefined => {
  const value = fieldOf(of, path);
  return typeof value === 'number' ? value : undefined;
};

export const hasField = (of: { system: Data }, path: string): boolean => fieldOf(of, path) !== undefined;
