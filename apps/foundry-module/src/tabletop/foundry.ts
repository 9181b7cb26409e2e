import { packageId } from '../../module-manifest.ts';
import type {
  Actor,
  ChatMessage,
  Combat,
  Compendium,
  DocumentClass,
  DocumentCollection,
  Folder,
  FoundryDocument,
  Item,
  Macro,
  Playlist,
  Roll,
  Scene,
  TokenObject,
  User,
  WorldCollection,
} from './documents.ts';

/** The part of Foundry's globals that this module touches. What differs between its generations stands in `../versions`. */
interface Foundry {
  game: Game;
  canvas: Canvas;
  ui: { notifications: { info(text: string): void; warn(text: string): void } };
  Hooks: {
    on(hook: string, run: (...args: never[]) => void): number;
    once(hook: string, run: (...args: never[]) => void): number;
    off(hook: string, id: number): void;
    callAll(hook: string, ...args: unknown[]): boolean;
  };
  CONST: {
    UPLOADABLE_FILE_EXTENSIONS: Readonly<Record<string, unknown>>;
  };
  CONFIG: {
    statusEffects: readonly { id: string; name: string; img: string | null }[];
    specialStatusEffects: { DEFEATED: string };
    sounds: { dice: string };
    ChatMessage: { documentClass: DocumentClass<ChatMessage> };
    Macro: { documentClass: new (data: object) => Macro };
    Setting: { documentClass: object };
    /** Asks the server. */
    DatabaseBackend: {
      get(documentClass: object, operation: { query: object }): Promise<FoundryDocument[]>;
    };
  };
  Combat: { create(data: object): Promise<Combat | undefined> };
  ChatMessage: { create(data: object): Promise<ChatMessage | undefined> };
  Roll: (new (formula: string) => Roll) & { validate(formula: string): boolean };
  fromUuid(uuid: string): Promise<FoundryDocument | null>;
  foundry: {
    applications?: { api?: { ApplicationV2?: typeof ApplicationV2 } };
    audio: { AudioHelper: { play(data: object, push: boolean): Promise<Sound> } };
    utils: {
      getProperty(of: object, path: string): unknown;
      /** Dotted paths become nested objects. */
      expandObject(of: object): Record<string, unknown>;
    };
  };
  PIXI: { Rectangle: new (x: number, y: number, width: number, height: number) => object };
}

export interface Game {
  readonly ready: boolean;
  readonly release: { generation: number };
  readonly version: string;
  readonly world: { id: string; title: string };
  readonly system: { id: string; title: string; version: string };
  readonly user: User | null;
  readonly users: WorldCollection<User>;
  readonly actors: WorldCollection<Actor>;
  readonly items: WorldCollection<Item>;
  readonly scenes: WorldCollection<Scene> & { readonly active: Scene | null | undefined };
  readonly folders: WorldCollection<Folder>;
  readonly macros: WorldCollection<Macro>;
  readonly playlists: WorldCollection<Playlist>;
  readonly combats: WorldCollection<Combat>;
  readonly combat: Combat | null;
  readonly messages: WorldCollection<ChatMessage>;
  /** All of the above and more, by the kind of their documents. */
  readonly collections: ReadonlyMap<string, WorldCollection>;
  readonly packs: DocumentCollection<Compendium>;
  readonly modules: DocumentCollection<PackageInfo>;
  /** To the module in the other browsers of the world; a browser never hears itself. */
  readonly socket: {
    readonly connected: boolean;
    emit(channel: string, message: object): unknown;
    on(channel: string, run: (message: unknown, senderId: unknown) => void): unknown;
  };
  readonly audio: { readonly playing: ReadonlyMap<unknown, Sound> };
  readonly i18n: { localize(key: string): string; format(key: string, data: Record<string, string>): string };
  readonly keybindings: { register(namespace: string, action: string, data: object): void };
  readonly settings: {
    readonly settings: ReadonlyMap<string, unknown>;
    readonly storage: ReadonlyMap<string, DocumentCollection<FoundryDocument>>;
    register(namespace: string, key: string, data: object): void;
    registerMenu(namespace: string, key: string, data: object): void;
    get(namespace: string, key: string): unknown;
    set(namespace: string, key: string, value: unknown): Promise<unknown>;
  };
}

export interface Sound {
  readonly src: string;
  stop(): Promise<unknown>;
}

export interface PackageInfo {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly active: boolean;
  readonly flags: Readonly<Record<string, unknown>>;
}

interface Canvas {
  readonly ready: boolean;
  readonly scene: Scene | null;
  readonly dimensions: { width: number; height: number } | null;
  readonly stage: object;
  readonly interface: { visible: boolean };
  readonly app: {
    renderer: { extract: { canvas(of: object, frame: object): HTMLCanvasElement } };
  };
  readonly tokens: {
    readonly controlled: TokenObject[];
    readonly placeables: TokenObject[];
    releaseAll(): number;
  } | null;
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
  key: 'clientId' | 'pairedRelayUrl' | 'serverFingerprint' | 'connectionToken' | 'pausedBy',
): string => {
  const value = tabletop.game.settings.get(packageId, key);
  return typeof value === 'string' ? value : '';
};

/** The setting in which the policy lies, as it is stored. */
export const readPolicySetting = (): unknown => tabletop.game.settings.get(packageId, 'policy');

/**
 * Takes over what the tabletop's server has of a setting of the world. Rejects where the server refuses to say, and ends not before it
 * answers.
 */
export async function refreshSetting(key: 'policy' | 'pausedBy'): Promise<void> {
  const { CONFIG, game } = tabletop;
  const id = `${packageId}.${key}`;
  const isIt = (one: FoundryDocument) => one.toObject()['key'] === id;
  const answer = await CONFIG.DatabaseBackend.get(CONFIG.Setting.documentClass, { query: { key: id } });
  const stored = answer.find(isIt);
  const world = game.settings.storage.get('world')!;
  const known = world.find(isIt);
  if (stored && known) known.updateSource({ value: stored.toObject()['value'] });
  else if (stored) world.set(stored.id, stored);
  else if (known) world.delete(known.id);
}

export const writeSetting = (key: string, value: unknown): Promise<unknown> =>
  tabletop.game.settings.set(packageId, key, value);

/** What is kept in all worlds of a server under one id would be one world's alone: this one's id. */
export const worldId = (): string => tabletop.game.world.id;

export const isGameMaster = (): boolean => (tabletop.game.user?.role ?? 0) >= 4;
