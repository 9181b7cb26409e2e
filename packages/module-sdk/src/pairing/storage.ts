/** Shared by every browser of a world; not secret. */
export interface WorldSettings {
  clientId: string;
  pairedRelayUrl: string;
}

/** Known to one browser only: it must not be kept where other users of the world can read it. */
export interface BrowserSettings {
  connectionToken: string;
}

/** The values that a module remembers. A name that is absent was never set or was forgotten. */
export type StoredSettings = { [K in keyof (WorldSettings & BrowserSettings)]?: string | undefined };

/** The place in which a module keeps its pairing. It is read at every attempt to connect. */
export interface ModuleStorage {
  load(): StoredSettings | Promise<StoredSettings>;
  /** Changes the names given and leaves the others; `undefined` forgets one. */
  save(changes: StoredSettings): void | Promise<void>;
}

/** Keeps the pairing for as long as the process or page lives. */
export function memoryStorage(initial: StoredSettings = {}): ModuleStorage {
  let settings = { ...initial };
  return {
    load: () => ({ ...settings }),
    save(changes) {
      settings = { ...settings, ...changes };
    },
  };
}

/** Keeps the pairing of one world in a page's `localStorage` or `sessionStorage`. */
export function webStorage(
  area: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  worldId: string,
): ModuleStorage {
  const keyOf = (name: string) => `tabletop-relay.${worldId}.${name}`;
  const read = (name: string) => area.getItem(keyOf(name)) ?? undefined;
  return {
    load: () => ({
      clientId: read('clientId'),
      pairedRelayUrl: read('pairedRelayUrl'),
      connectionToken: read('connectionToken'),
    }),
    save(changes) {
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) area.removeItem(keyOf(name));
        else area.setItem(keyOf(name), value);
      }
    },
  };
}
