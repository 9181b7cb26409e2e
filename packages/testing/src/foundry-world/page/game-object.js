import { Collection } from './collections.js';
import { world } from './parts.js';
import { declare, everywhere, strict, strictSpace } from './strict.js';

/** `game`: what it holds, and the small objects in it. */

export class Game {
  constructor({ release, system, world: about, modules, session, documentTypes }) {
    const hidden = { user: null };
    Object.assign(this, {
      [state]: hidden,
      data: { userId: session.userId },
      view: 'game',
      ready: false,
      sessionId: session.id,
    });
    const info = { ...release, version: `${release.generation}.${release.build}` };
    Object.assign(this, {
      release: strict(new Release(info), 'ReleaseData'),
      userId: session.userId,
      documentTypes,
    });
    this.world = strictSpace({ ...about, flags: {} }, 'game.world');
    this.system = strictSpace({ ...system, flags: {}, documentTypes }, 'game.system');
    this.modules = new Collection(
      modules.map((module) => [
        module.id,
        strict(new Module(module), 'Module', { isOpen: true, isOwned: true }),
      ]),
    );
    for (const name of [
      'users',
      'actors',
      'items',
      'scenes',
      'journal',
      'macros',
      'playlists',
      'tables',
      'folders',
      'messages',
      'combats',
      'cards',
      'packs',
    ]) {
      this[name] = undefined;
    }
    Object.assign(this, {
      collections: new Map(),
      tooltip: {},
      documentIndex: {},
      canvas: undefined,
      audio: undefined,
      permissions: {},
    });
    return strict(this, 'Game', { isOpen: true });
  }
  get user() {
    return this[state].user;
  }
  get version() {
    return this.release.version;
  }
  get combat() {
    return (
      this.combats.find(
        (combat) => combat.active && (combat.scene === null || combat.scene.id === world.viewedScene),
      ) ?? null
    );
  }
  get paused() {
    return this[state].paused === true;
  }
  get activeTool() {
    return 'select';
  }
  async togglePause(pause, options) {
    const isPushed = options === true || options?.broadcast === true || options?.push === true;
    if (isPushed) await world.connection.request('pause', { paused: pause });
    else this[state].paused = pause;
    return pause;
  }
}
export const state = Symbol('state');

class Release {
  constructor(info) {
    Object.assign(this, { channel: 'stable', maxGeneration: 14, ...info });
  }
  get version() {
    return `${this.generation}.${this.build}`;
  }
  set version(_) {}
  get display() {
    return `Version ${this.version}`;
  }
  get shortDisplay() {
    return this.display;
  }
  isNewer(other) {
    return foundry.utils.isNewerVersion(this.version, other.version ?? other);
  }
}

class Module {
  constructor(data) {
    Object.assign(this, data);
  }
}

export function declareGame() {
  declare('Game', {
    more: everywhere(['cards', 'documentTypes']),
  });
  declare('Module', {
    more: everywhere([
      'esmodules',
      'scripts',
      'compatibility',
      'description',
      'authors',
      'url',
      'styles',
      'packs',
    ]),
  });
  declare('ReleaseData', { more: everywhere(['isNewer']) });
  declare('GameTime');
}

export class GameTime {
  get worldTime() {
    return game.settings.get('core', 'time');
  }
  get serverTime() {
    return Date.now();
  }
  get calendar() {
    return {};
  }
  get components() {
    return { second: this.worldTime };
  }
  async advance(seconds, options) {
    await game.settings.set('core', 'time', this.worldTime + seconds, options);
    return this.worldTime;
  }
  set(time, options) {
    return this.advance(time - this.worldTime, options);
  }
}
