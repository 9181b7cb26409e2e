/** The types of `server.js`, which runs as it is, like the page's scripts whose rules it shares. */
export interface StoredDocument {
  _id: string;
  [field: string]: unknown;
}

export interface FoundryModule {
  /** A folder with `module.json` … */
  folder?: string;
  /** … or a manifest and its files, by path. */
  manifest?: { id: string; title: string; [field: string]: unknown };
  files?: Record<string, string>;
  /** Enabled in the world; it is unless this says no. */
  active?: boolean;
}

export interface ServerOptions {
  core: 12 | 13 | 14;
  dnd5e: '3.3' | '4.4' | '5.3' | '6.0';
  /** An unknown member throws; without, it is noted alone, for modules that were not written for the stand-in. */
  isStrict?: boolean;
  modules?: FoundryModule[];
  /** The first of them runs; the others wait for `launch`. */
  worlds?: { id: string; title: string }[];
}

export interface FoundryServer {
  url: string;
  files: {
    get(name: string): Buffer | undefined;
    set(name: string, content: string | Buffer): void;
    names(): string[];
  };
  world(): { id: string; title: string; documents: Record<string, StoredDocument[]> };
  launch(id: string): void;
  drop(userId: string): void;
  close(): Promise<void>;
}

export function startServer(options: ServerOptions): Promise<FoundryServer>;
