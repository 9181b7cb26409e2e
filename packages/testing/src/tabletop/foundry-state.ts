export interface StandInUser {
  id: string;
  name: string;
  password: string;
  isGM: boolean;
  /** In the game in another browser. */
  active?: boolean;
}

export interface StandInWorld {
  id: string;
  title: string;
  /** Its data are of an older version: starting it asks to migrate them. */
  mustMigrate?: boolean;
}

export interface FoundryStandInOptions {
  /** Major version, whose markup the pages have. */
  version: 11 | 12 | 13 | 14;
  worlds: readonly StandInWorld[];
  /** The id of the world that runs. */
  running?: string;
  users: readonly StandInUser[];
  /** Asked for at the setup while no world runs. */
  adminPassword?: string;
  /** The agreement was not accepted yet. */
  unsigned?: boolean;
  /** A tour lies over each page. */
  popUp?: boolean;
  /** The world has the relay's module. */
  hasModule?: boolean;
  /** The module takes its settings, and does not connect. */
  isModuleStuck?: boolean;
  /** The module's settings of the world, on the server. */
  settings?: { clientId: string; pairedRelayUrl: string };
}

/** What the pages are made of, as it is now. */
export interface StandInState extends Required<Omit<FoundryStandInOptions, 'running' | 'adminPassword'>> {
  running: string | undefined;
  adminPassword: string | undefined;
}
