/** The documents of the tabletop, in our own narrow types: what stands here exists in generations 12 to 14. */

export type Data = Record<string, unknown>;

export type Level = 'LIMITED' | 'OBSERVER' | 'OWNER';

export interface DocumentCollection<T> extends Iterable<T> {
  readonly size: number;
  readonly contents: T[];
  get(id: string): T | undefined;
  find(test: (item: T) => boolean): T | undefined;
  filter(test: (item: T) => boolean): T[];
  map<R>(make: (item: T) => R): R[];
  /** These two are of this browser's copy alone. */
  set(id: string, item: T): unknown;
  delete(id: string): boolean;
}

/** A collection of the world's own documents of one kind. */
export interface WorldCollection<T = FoundryDocument> extends DocumentCollection<T> {
  readonly documentName: string;
  readonly documentClass: DocumentClass<T>;
}

export interface DocumentClass<T = FoundryDocument> {
  readonly documentName: string;
  create(data: object, options?: { keepId?: boolean }): Promise<T | undefined>;
  updateDocuments(changes: object[]): Promise<T[]>;
  deleteDocuments(ids: string[]): Promise<T[]>;
  canUserCreate(user: User): boolean;
}

export interface FoundryDocument {
  readonly id: string;
  readonly uuid: string;
  readonly name: string;
  readonly documentName: string;
  readonly parent: FoundryDocument | null;
  readonly pack: string | null;
  readonly folder: Folder | null;
  testUserPermission(user: User, level: Level): boolean;
  canUserModify(user: User, action: 'create' | 'update' | 'delete', data?: object): boolean;
  toObject(): Data;
  /** Changes this browser's copy alone. */
  updateSource(changes: object): unknown;
  update(changes: object, options?: object): Promise<unknown>;
  delete(): Promise<unknown>;
  getEmbeddedCollection(kind: string): DocumentCollection<FoundryDocument>;
  createEmbeddedDocuments(kind: string, data: object[], options?: object): Promise<FoundryDocument[]>;
  updateEmbeddedDocuments(kind: string, changes: object[]): Promise<FoundryDocument[]>;
  deleteEmbeddedDocuments(kind: string, ids: string[]): Promise<FoundryDocument[]>;
}

export interface User extends FoundryDocument {
  readonly role: number;
  readonly isGM: boolean;
  readonly active: boolean;
  /** A text, or an object that is written as one. */
  readonly color: { toString(): string } | null;
  readonly avatar: string | null;
  readonly character: Actor | null;
  readonly targets: Iterable<TokenObject>;
  can(permission: string): boolean;
}

export interface Folder extends FoundryDocument {
  readonly type: string;
  readonly contents: FoundryDocument[];
}

export interface Item extends FoundryDocument {
  readonly type: string;
  readonly img: string | null;
  readonly system: Data;
}

export interface Effect extends FoundryDocument {
  readonly img: string | null;
  readonly disabled: boolean;
  readonly statuses: ReadonlySet<string>;
  readonly origin: string | null;
}

export interface Actor extends FoundryDocument {
  readonly type: string;
  readonly img: string | null;
  readonly hasPlayerOwner: boolean;
  readonly system: Data;
  readonly items: DocumentCollection<Item>;
  readonly effects: DocumentCollection<Effect>;
  toggleStatusEffect(
    id: string,
    options: { active: boolean; overlay?: boolean },
  ): Promise<Effect | boolean | undefined>;
}

export interface Token extends FoundryDocument {
  readonly actor: Actor | null;
  readonly actorId: string | null;
  readonly hidden: boolean;
  readonly x: number;
  readonly y: number;
  readonly parent: Scene;
  readonly object: TokenObject | null;
  getCenterPoint(): Point;
}

export interface Point {
  x: number;
  y: number;
}

/** A token as it stands on the canvas. */
export interface TokenObject {
  readonly document: Token;
  readonly controlled: boolean;
  control(options: { releaseOthers: boolean }): boolean;
  setTarget(targeted: boolean, options: { releaseOthers: boolean }): void;
}

export interface Scene extends FoundryDocument {
  readonly active: boolean;
  readonly tokens: DocumentCollection<Token>;
  readonly grid: {
    readonly units: string;
    measurePath(points: readonly Point[]): { distance: number };
  };
  readonly dimensions: { width: number; height: number };
  activate(): Promise<unknown>;
}

export interface Combat extends FoundryDocument {
  readonly round: number;
  readonly turn: number | null;
  readonly started: boolean;
  readonly combatants: DocumentCollection<Combatant>;
  readonly combatant: Combatant | null | undefined;
  createEmbeddedDocuments(kind: 'Combatant', data: object[]): Promise<Combatant[]>;
  rollInitiative(ids: string[]): Promise<unknown>;
  activate(): Promise<unknown>;
  startCombat(): Promise<unknown>;
  nextTurn(): Promise<unknown>;
  previousTurn(): Promise<unknown>;
  nextRound(): Promise<unknown>;
  previousRound(): Promise<unknown>;
}

export interface Combatant extends FoundryDocument {
  readonly actor: Actor | null;
  readonly actorId: string | null;
  readonly token: Token | null;
  readonly tokenId: string | null;
  readonly sceneId: string | null;
  readonly img: string | null;
  readonly initiative: number | null;
  readonly hidden: boolean;
  readonly isDefeated: boolean;
}

export interface ChatMessage extends FoundryDocument {
  readonly content: string;
  readonly isRoll: boolean;
  readonly rolls: Roll[];
  readonly author: User | null;
  readonly speaker: { alias?: string | null; [key: string]: unknown };
  readonly style: number;
  readonly flavor: string;
  readonly timestamp: number;
  readonly whisper: string[];
  readonly blind: boolean;
}

export interface Macro extends FoundryDocument {
  readonly type: string;
  readonly command: string;
  readonly scope: string;
  readonly img: string | null;
  readonly author: User | null;
  canUserExecute(user: User): boolean;
  execute(scope?: object): Promise<unknown> | undefined;
}

export interface Playlist extends FoundryDocument {
  readonly description: string;
  readonly mode: number;
  readonly playing: boolean;
  readonly fade: number | null;
  readonly sorting: string;
  readonly sounds: DocumentCollection<PlaylistSound>;
  playAll(): Promise<unknown>;
  stopAll(): Promise<unknown>;
  playNext(): Promise<unknown>;
  playSound(sound: PlaylistSound): Promise<unknown>;
}

export interface PlaylistSound extends FoundryDocument {
  readonly path: string | null;
  readonly playing: boolean;
  readonly volume: number;
  readonly repeat: boolean;
  readonly fade: number | null;
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

/** A compendium: an index at once, documents on demand. */
export interface Compendium extends DocumentCollection<FoundryDocument> {
  readonly collection: string;
  readonly title: string;
  readonly documentName: string;
  readonly index: DocumentCollection<IndexEntry>;
  getDocuments(): Promise<FoundryDocument[]>;
  testUserPermission(user: User, level: Level): boolean;
}

export interface IndexEntry {
  readonly _id: string;
  readonly uuid: string;
  readonly name: string;
  readonly img?: string | null;
  readonly type?: string;
  readonly folder?: string | null;
}

/** The window in which a document is shown; those of the first generation hold their element in a list. */
export interface Sheet {
  readonly rendered: boolean;
  readonly element: HTMLElement | ArrayLike<HTMLElement> | null;
  render(options: object | boolean): unknown;
  close(options?: object): Promise<unknown>;
}
