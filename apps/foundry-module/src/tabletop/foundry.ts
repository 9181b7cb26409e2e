import { packageId } from '../../module-manifest.ts';

/**
 * The part of Foundry's globals that this module touches, in our own narrow types. What stands here exists in generations 12 to 14;
 * `versions.ts` has what differs.
 */
interface Foundry {
  game: Game;
  canvas: Canvas;
  ui: { notifications: { info(text: string): void; warn(text: string): void } };
  Hooks: {
    on(hook: string, run: (...args: never[]) => void): number;
    once(hook: string, run: (...args: never[]) => void): number;
    callAll(hook: string, ...args: unknown[]): boolean;
  };
  CONST: { DOCUMENT_OWNERSHIP_LEVELS: { OBSERVER: number; OWNER: number } };
  Combat: { create(data: object): Promise<Combat | undefined> };
  ChatMessage: {
    create(data: object): Promise<ChatMessage | undefined>;
    getSpeaker(options: object): object;
  };
  Roll: (new (formula: string) => Roll) & { validate(formula: string): boolean };
  fromUuid(uuid: string): Promise<FoundryDocument | null>;
  foundry: {
    applications?: { api?: { ApplicationV2?: typeof ApplicationV2 } };
    utils: { getProperty(of: object, path: string): unknown };
  };
}

export interface Game {
  readonly ready: boolean;
  readonly release: { generation: number };
  readonly version: string;
  readonly world: { id: string; title: string };
  readonly system: { id: string; title: string; version: string };
  readonly user: User | null;
  readonly users: DocumentCollection<User>;
  readonly actors: DocumentCollection<Actor>;
  readonly scenes: DocumentCollection<Scene> & { readonly active: Scene | null | undefined };
  readonly combats: DocumentCollection<Combat>;
  readonly combat: Combat | null;
  readonly messages: DocumentCollection<ChatMessage>;
  readonly modules: DocumentCollection<PackageInfo>;
  readonly i18n: { localize(key: string): string; format(key: string, data: Record<string, string>): string };
  readonly settings: {
    readonly settings: ReadonlyMap<string, unknown>;
    register(namespace: string, key: string, data: object): void;
    registerMenu(namespace: string, key: string, data: object): void;
    get(namespace: string, key: string): unknown;
    set(namespace: string, key: string, value: unknown): Promise<unknown>;
  };
}

export interface DocumentCollection<T> extends Iterable<T> {
  readonly size: number;
  readonly contents: T[];
  get(id: string): T | undefined;
  find(test: (item: T) => boolean): T | undefined;
  filter(test: (item: T) => boolean): T[];
  map<R>(make: (item: T) => R): R[];
}

export interface PackageInfo {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly active: boolean;
  readonly flags: Readonly<Record<string, unknown>>;
}

export interface FoundryDocument {
  readonly id: string;
  readonly uuid: string;
  readonly name: string;
  readonly documentName: string;
  testUserPermission(user: User, level: 'LIMITED' | 'OBSERVER' | 'OWNER'): boolean;
  toObject(): Record<string, unknown>;
}

export interface User extends FoundryDocument {
  readonly role: number;
  readonly isGM: boolean;
  readonly active: boolean;
  /** A text, or an object that is written as one. */
  readonly color: { toString(): string } | null;
  readonly avatar: string | null;
}

export interface Actor extends FoundryDocument {
  readonly type: string;
  readonly img: string | null;
  readonly hasPlayerOwner: boolean;
  readonly system: Record<string, unknown>;
}

export interface Token extends FoundryDocument {
  readonly actor: Actor | null;
  readonly actorId: string | null;
  readonly hidden: boolean;
  readonly parent: Scene;
  readonly object: TokenObject | null;
}

/** A token as it stands on the canvas. */
export interface TokenObject {
  readonly document: Token;
  readonly controlled: boolean;
  control(options: { releaseOthers: boolean }): boolean;
}

export interface Scene extends FoundryDocument {
  readonly tokens: DocumentCollection<Token>;
}

interface Canvas {
  readonly ready: boolean;
  readonly scene: Scene | null;
  readonly tokens: {
    readonly controlled: TokenObject[];
    readonly placeables: TokenObject[];
    releaseAll(): number;
  } | null;
}

export interface Combat extends FoundryDocument {
  readonly round: number;
  readonly turn: number | null;
  readonly started: boolean;
  readonly combatants: DocumentCollection<Combatant>;
  readonly combatant: Combatant | null | undefined;
  createEmbeddedDocuments(kind: 'Combatant', data: object[]): Promise<Combatant[]>;
  deleteEmbeddedDocuments(kind: 'Combatant', ids: string[]): Promise<unknown>;
  rollInitiative(ids: string[]): Promise<unknown>;
  activate(): Promise<unknown>;
  startCombat(): Promise<unknown>;
  nextTurn(): Promise<unknown>;
  previousTurn(): Promise<unknown>;
  nextRound(): Promise<unknown>;
  previousRound(): Promise<unknown>;
  update(data: object): Promise<unknown>;
  delete(): Promise<unknown>;
}

export interface Combatant extends FoundryDocument {
  readonly actor: Actor | null;
  readonly token: Token | null;
  readonly tokenId: string | null;
  readonly sceneId: string | null;
  readonly img: string | null;
  readonly initiative: number | null;
  readonly hidden: boolean;
  readonly isDefeated: boolean;
}

export interface ChatMessage extends FoundryDocument {
  readonly rolls: Roll[];
  readonly author: User | null;
  readonly speaker: object;
  readonly flavor: string;
  readonly timestamp: number;
  readonly whisper: string[];
  readonly blind: boolean;
}

export interface Roll {
  readonly formula: string;
  readonly result: string;
  readonly total: number | undefined;
  readonly dice: Die[];
  evaluate(options?: { allowInteractive: boolean }): Promise<Roll>;
}

export interface Die {
  readonly faces: number;
  readonly results: { result: number; active: boolean }[];
}

/** The window class of 12 and later; a window of ours writes its own content. */
declare class ApplicationV2 {
  constructor(options?: object);
  static DEFAULT_OPTIONS: object;
  readonly element: HTMLElement;
  readonly rendered: boolean;
  render(options?: object): Promise<unknown>;
  close(options?: object): Promise<unknown>;
  bringToFront(): void;
}

/** Foundry's globals. They appear while it starts: nothing may be read from here before the hook `init`. */
export const tabletop = globalThis as unknown as Foundry;

/** A setting of ours. */
export const readSetting = (
  key: 'clientId' | 'pairedRelayUrl' | 'serverFingerprint' | 'connectionToken',
): string => {
  const value = tabletop.game.settings.get(packageId, key);
  return typeof value === 'string' ? value : '';
};

export const writeSetting = (key: string, value: string): Promise<unknown> =>
  tabletop.game.settings.set(packageId, key, value);

/** What is kept in all worlds of a server under one id would be one world's alone: this one's id. */
export const worldId = (): string => tabletop.game.world.id;

export const isGameMaster = (): boolean => (tabletop.game.user?.role ?? 0) >= 4;
