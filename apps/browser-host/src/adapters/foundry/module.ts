import type { JSHandle } from 'playwright-core';
import { StageFailure } from '../adapter.ts';
import type { ModuleAccess, ModuleSettings, WorldOnPage } from '../adapter.ts';

/** The part of Foundry's globals that is used, the same from version 11 to 14. */
export interface FoundryGlobals {
  game: {
    ready: boolean;
    version: string;
    world: { id: string; title: string };
    system: { id: string; title: string; version: string };
    user: { isGM: boolean };
    settings: {
      /** The settings that core, system and modules have registered, by `<package>.<name>`. */
      settings: Map<string, unknown>;
      get(namespace: string, key: string): unknown;
      set(namespace: string, key: string, value: unknown): Promise<unknown>;
    };
  };
}

/** The module that relays serve themselves. */
const ownId = 'tabletop-relay';

/**
 * The module is found by the settings that it registers, under whatever id it is installed: `clientId` and `pairedRelayUrl`
 * of the world, `connectionToken` of the browser. Of several it is the relay's own, unless the world was paired by another alone.
 */
export const foundryModule: ModuleAccess = {
  async read(shown) {
    const namespace = await findModule(shown);
    return await shown.evaluate(readWorld, namespace);
  },
  async write(shown, settings) {
    const namespace = await findModule(shown);
    await shown.evaluate(writeSettings, { namespace, settings: { ...settings } });
  },
  async takeBack(shown, taken) {
    const namespace = await findModule(shown);
    const emptied = Object.fromEntries(Object.keys(taken).map((name) => [name, '']));
    await shown.evaluate(writeSettings, { namespace, settings: emptied });
  },
  restart: async (page) => void (await page.reload({ waitUntil: 'domcontentloaded' })),
};

async function findModule(shown: JSHandle<Document>): Promise<string> {
  const found = await shown.evaluate((_shown, own) => {
    const { settings } = (globalThis as unknown as FoundryGlobals).game;
    const names = [...settings.settings.keys()]
      .filter((key) => key.endsWith('.connectionToken'))
      .map((key) => key.slice(0, -'.connectionToken'.length))
      .filter((name) =>
        ['clientId', 'pairedRelayUrl'].every((key) => settings.settings.has(`${name}.${key}`)),
      )
      .toSorted((one, other) => Number(other === own) - Number(one === own));
    return names.find((name) => Boolean(settings.get(name, 'clientId'))) ?? names[0];
  }, ownId);
  if (found !== undefined) return found;
  throw new StageFailure(
    'The module of the relay is not active in this world. Activate it under “Manage Modules”.',
  );
}

/** Runs in the page. */
function readWorld(_shown: Document, namespace: string): WorldOnPage {
  const { world, system, version, user, settings } = (globalThis as unknown as FoundryGlobals).game;
  const text = (key: string) => {
    const value = settings.get(namespace, key);
    return typeof value === 'string' ? value : '';
  };
  return {
    world: {
      worldId: world.id,
      worldTitle: world.title,
      tabletopVersion: version,
      systemId: system.id,
      systemTitle: system.title,
      systemVersion: system.version,
    },
    clientId: text('clientId'),
    pairedRelayUrl: text('pairedRelayUrl'),
    isGameMaster: user.isGM,
  };
}

/** Runs in the page. */
async function writeSettings(
  _shown: Document,
  input: { namespace: string; settings: Partial<ModuleSettings> },
): Promise<void> {
  const { settings } = (globalThis as unknown as FoundryGlobals).game;
  for (const [key, value] of Object.entries(input.settings)) await settings.set(input.namespace, key, value);
}
