import type { JSHandle, Locator, Page } from 'playwright-core';

/** A tabletop that sessions can log in to: a literal of named stages. */
export interface Adapter {
  /** For people. */
  name: string;
  /** Whether the page is one of this tabletop. */
  recognises(page: Page): Promise<boolean>;
  /** The way from the opened page into the world, in order. A stage that has nothing to do passes. */
  stages: readonly Stage[];
  module: ModuleAccess;
}

export interface Stage {
  /** Told to callers and shown in the dashboard. */
  name: string;
  /** Throws `StageFailure` with what the page says. */
  run(page: Page, login: StageLogin): Promise<void>;
}

export interface StageLogin {
  tabletopUrl: string;
  username: string;
  /** Id or title; empty: the world that runs. */
  worldName: string;
  /**
   * Types the password where it belongs, and nowhere else. An empty one needs no field. Undefined when the session comes back after a
   * crash or from another host: passwords are not kept. Throws `StageFailure`.
   */
  typePassword: ((field: Locator) => Promise<void>) | undefined;
  /** For one wait of a stage. */
  timeoutMs: number;
}

/**
 * How the module that runs in the tabletop gets its settings. All but `restart` act on one document, whose address was looked at, and
 * reject once the page shows another.
 */
export interface ModuleAccess {
  read(shown: JSHandle<Document>): Promise<WorldOnPage>;
  /** Writes the world's settings that are given, and the token for this browser alone. */
  write(shown: JSHandle<Document>, settings: ModuleSettings): Promise<void>;
  /** Empties the world's settings again that a failed start has written. */
  takeBack(
    shown: JSHandle<Document>,
    settings: Pick<ModuleSettings, 'clientId' | 'pairedRelayUrl'>,
  ): Promise<void>;
  /** Lets the module read them anew. */
  restart(page: Page): Promise<void>;
}

export interface ModuleSettings {
  clientId?: string;
  pairedRelayUrl?: string;
  connectionToken: string;
}

/** What the page knows of its world. */
export interface WorldOnPage {
  world: {
    worldId: string;
    worldTitle: string;
    tabletopVersion: string;
    systemId: string;
    systemTitle: string;
    systemVersion: string;
  };
  /** As the tabletop's server keeps them; empty where it has none. */
  clientId: string;
  pairedRelayUrl: string;
  /** Whether this user may change the settings of the world. */
  isGameMaster: boolean;
}

/** What stopped a stage, in words for the account. */
export class StageFailure extends Error {
  override name = 'StageFailure';
}
