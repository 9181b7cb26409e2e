import { Document } from './document.js';
import { inner, onChange, source, world } from './parts.js';
import { hasPermission, isGM } from './model.js';
import { facts, unknown } from './strict.js';

/** Documents of the world without a canvas: users, effects, folders, journals, tables and playlists. */

const roles = { NONE: 0, PLAYER: 1, TRUSTED: 2, ASSISTANT: 3, GAMEMASTER: 4 };

/** A colour: a number that reads as CSS. */
export class Color extends Number {
  static from(value) {
    if (typeof value === 'number') return new Color(value);
    return new Color(typeof value === 'string' ? Number.parseInt(value.replace('#', ''), 16) : Number.NaN);
  }
  get valid() {
    return !Number.isNaN(this.valueOf());
  }
  get css() {
    return `#${this.valueOf().toString(16).padStart(6, '0')}`;
  }
  get rgb() {
    return [16, 8, 0].map((shift) => ((this.valueOf() >> shift) & 255) / 255);
  }
  toString() {
    return this.css;
  }
  toJSON() {
    return this.css;
  }
}

export class User extends Document {
  get isGM() {
    return isGM(this[source]);
  }
  get isActiveGM() {
    return game.users.activeGM === this[inner].proxy;
  }
  get isSelf() {
    return this.id === game.userId;
  }
  get isBanned() {
    return this.role === roles.NONE;
  }
  get active() {
    return world.presence?.get(this.id)?.active === true;
  }
  get viewedScene() {
    return this.isSelf ? (world.viewedScene ?? null) : (world.presence?.get(this.id)?.sceneId ?? null);
  }
  get targets() {
    this[inner].targets ??= new Set();
    return this[inner].targets;
  }
  get color() {
    return Color.from(this[source].color);
  }
  get avatar() {
    return this[source].avatar ?? this.character?.img ?? 'icons/svg/mystery-man.svg';
  }
  can(action) {
    return action in roles ? this.hasRole(action) : this.hasPermission(action);
  }
  hasPermission(permission) {
    if (!Object.values(CONST.USER_PERMISSIONS_BY_VERSION).includes(permission))
      unknown(`permission ${permission}`);
    return hasPermission(this[source], permission, game.permissions ?? {});
  }
  hasRole(role, { exact = false } = {}) {
    const wanted = typeof role === 'string' ? roles[role] : role;
    return exact ? this.role === wanted : this.role >= wanted;
  }
  broadcastActivity(activity = {}) {
    world.connection.send('activity', { activity });
  }
  assignHotbarMacro(macro, slot = 1) {
    return this.update({ hotbar: { [slot]: macro?.id ?? null } });
  }
  updateTokenTargets(ids = []) {
    for (const token of canvas.tokens.placeables)
      token.setTarget(ids.includes(token.id), { releaseOthers: false });
  }
  /** Asks the other browser of this user, whose `CONFIG.queries[name]` answers. */
  query(name, data, { timeout = 30_000 } = {}) {
    if (!(name in CONFIG.queries)) throw new Error(`${name} is not a registered query`);
    if (this.isSelf) return Promise.resolve(CONFIG.queries[name](data, { timeout }));
    if (!this.active) return Promise.reject(new Error(`User ${this.name} is not connected`));
    return world.connection.request('query', { to: this.id, name, data, timeout });
  }
}

export class ActiveEffect extends Document {
  static fromStatusEffect(id) {
    const status = CONFIG.statusEffects.find((entry) => entry.id === id);
    if (!status) throw new Error(`Invalid status ID "${id}" provided to ActiveEffect.fromStatusEffect`);
    const name = game.i18n.localize(status.name);
    return Promise.resolve(
      new this.implementation({ name, img: status.img, statuses: [id], _id: status._id ?? null }),
    );
  }
  static applyChange() {
    return {};
  }
  get statuses() {
    return new Set(this[source].statuses);
  }
  get icon() {
    return this.img;
  }
  get changes() {
    return facts.generation >= 14 ? this[source].system.changes : this[source].changes;
  }
  get active() {
    return !this.disabled && !this.isSuppressed;
  }
  get isSuppressed() {
    return false;
  }
  get isTemporary() {
    const { duration } = this[source];
    const lasts = duration.seconds ?? duration.rounds ?? duration.turns ?? duration.value ?? null;
    return lasts !== null || this[source].statuses.length > 0;
  }
  get target() {
    const { parent } = this;
    return parent?.documentName === 'Item' && this.transfer ? parent.actor : parent;
  }
  get modifiesActor() {
    return this.active && this.target?.documentName === 'Actor';
  }
  get sourceName() {
    return this.origin ? (world.resolve(this.origin)?.name ?? 'Unknown') : 'None';
  }
  apply() {
    return {};
  }
  updateDuration() {
    return this.duration;
  }
  [onChange]() {
    this.parent?.prepareData?.();
  }
}

export class Folder extends Document {
  get contents() {
    const collection = this[inner].pack
      ? world.packs.get(this.pack)
      : world.collections[world.collectionOf(this.type)];
    return (collection?.contents ?? []).filter((entry) => entry[source].folder === this.id);
  }
  get children() {
    return this.getSubfolders().map((folder) => ({
      folder,
      entries: folder.contents,
      children: folder.children,
      root: false,
    }));
  }
  get depth() {
    return this.ancestors.length + 1;
  }
  get ancestors() {
    return this.folder ? [this.folder, ...this.folder.ancestors] : [];
  }
  get color() {
    return this[source].color ? Color.from(this[source].color) : null;
  }
  get displayed() {
    return true;
  }
  getSubfolders(recursive = false) {
    const direct = game.folders.filter((folder) => folder[source].folder === this.id);
    return recursive ? direct.flatMap((folder) => [folder, ...folder.getSubfolders(true)]) : direct;
  }
  getParentFolders() {
    return this.ancestors;
  }
}

export class JournalEntry extends Document {
  get sceneNote() {
    return canvas.notes?.placeables.find(({ document }) => document.entryId === this.id) ?? null;
  }
  show() {
    world.connection.send('emit', { event: 'showEntry', args: [this.uuid] });
    return Promise.resolve(this[inner].proxy);
  }
}

export class JournalEntryPage extends Document {
  get toc() {
    const headings = new DOMParser()
      .parseFromString(this.text.content ?? '', 'text/html')
      .querySelectorAll('h1,h2,h3');
    return Object.fromEntries(
      [...headings].map((heading) => [heading.textContent.slugify?.() ?? heading.textContent, heading]),
    );
  }
}

export class RollTable extends Document {
  getResultsForRoll(value) {
    return this.results.filter(({ drawn, range }) => !drawn && value >= range[0] && value <= range[1]);
  }
  async roll({ roll } = {}) {
    const thrown =
      roll ?? new Roll(this.formula || `1d${Math.max(1, ...this.results.map(({ range }) => range[1]))}`);
    if (thrown.total === undefined) await thrown.evaluate();
    return { roll: thrown, results: this.getResultsForRoll(thrown.total) };
  }
  async draw({ roll, results, displayChat = true, ...options } = {}) {
    const drawn = results ? { roll, results } : await this.roll({ roll });
    if (!this.replacement && !this.pack) {
      const updates = drawn.results.map(({ id }) => ({ _id: id, drawn: true }));
      await this.updateEmbeddedDocuments('TableResult', updates);
    }
    if (displayChat) await world.tellResults(this[inner].proxy, drawn, options);
    return drawn;
  }
  async drawMany(number, options = {}) {
    const results = [];
    let last;
    for (let index = 0; index < number; index += 1) {
      last = await this.roll();
      results.push(...last.results);
    }
    return this.draw({ ...options, roll: last?.roll, results });
  }
}

export class TableResult extends Document {
  get documentId() {
    return this[source].documentId ?? this[source].documentUuid?.split('.').at(-1) ?? null;
  }
  get documentCollection() {
    return this[source].documentCollection ?? this[source].documentUuid?.split('.')[0] ?? '';
  }
  get text() {
    return this[source].text ?? this[source].description;
  }
  getChatText() {
    return this.text || this.name;
  }
  getHTML() {
    return Promise.resolve(this.text || this.name);
  }
}

export class Playlist extends Document {
  get playbackOrder() {
    const sounds = this.sounds.contents;
    return (
      this.sorting === 'a'
        ? sounds.sort((a, b) => a.name.localeCompare(b.name))
        : sounds.sort((a, b) => a.sort - b.sort)
    ).map(({ id }) => id);
  }
  playAll() {
    const [first] = this.playbackOrder;
    const all = this.mode === CONST.PLAYLIST_MODES.SIMULTANEOUS;
    if (this.sounds.size === 0) return Promise.resolve(this[inner].proxy);
    return changeSounds(this, (sound) => all || sound.id === first, true);
  }
  stopAll() {
    return changeSounds(this, () => false, false);
  }
  playNext(id, { direction = 1 } = {}) {
    if (![CONST.PLAYLIST_MODES.SEQUENTIAL, CONST.PLAYLIST_MODES.SHUFFLE].includes(this.mode))
      return Promise.resolve(null);
    const order = this.playbackOrder;
    const current = id ?? this.sounds.find(({ playing }) => playing)?.id;
    const next = order[(order.indexOf(current) + direction + order.length) % order.length];
    return changeSounds(this, (sound) => sound.id === next, true);
  }
  playSound(sound) {
    return this.update({ playing: true, sounds: [{ _id: sound.id, playing: true, pausedTime: null }] });
  }
  stopSound(sound) {
    const others = this.sounds.some(({ id, playing }) => playing && id !== sound.id);
    return this.update({ playing: others, sounds: [{ _id: sound.id, playing: false, pausedTime: null }] });
  }
  cycleMode() {
    const modes = Object.values(CONST.PLAYLIST_MODES).sort((a, b) => a - b);
    return this.update({ mode: modes[(modes.indexOf(this.mode) + 1) % modes.length] });
  }
}
function changeSounds(playlist, isPlayed, playing) {
  const sounds = playlist.sounds.map((sound) => ({
    _id: sound.id,
    playing: isPlayed(sound),
    pausedTime: null,
  }));
  return playlist.update({ playing, sounds });
}

export class PlaylistSound extends Document {
  get sound() {
    this[inner].sound ??= this.path ? new world.Sound(this.path) : null;
    return this[inner].sound;
  }
  get effectiveVolume() {
    return this.volume;
  }
  get context() {
    return game.audio.music;
  }
  get debounceVolume() {
    return (volume) => this.update({ volume });
  }
  sync() {
    if (this.playing) void this.sound?.play({ volume: this.volume, loop: this.repeat });
    else void this.sound?.stop();
  }
  [onChange](action) {
    if (action !== 'delete') this.sync();
  }
}

export class Setting extends Document {
  get value() {
    return JSON.parse(this[source].value);
  }
}

/** Documents without behaviour of their own. */
export const plain = () => {
  const names = [
    'Cards',
    'Card',
    'CombatantGroup',
    'JournalEntryCategory',
    'RegionBehavior',
    'FogExploration',
    'Adventure',
  ];
  return Object.fromEntries(names.map((name) => [name, { [name]: class extends Document {} }[name]]));
};
